/**
 * Shows invisible and misleading characters as named escapes, and imitating host names in their ASCII form (F-03). Different
 * texts look different: additions are in ⟨…⟩, and these two characters are escaped. Also shows arguments as unambiguous
 * lines of a card: no value looks like such a line. Pure text; must not cut or remove. Called by the makers of cards.
 */
import { canonicalJson, isPlainRecord, type Json } from '../flow/json.ts'

/**
 * Controls, bidirectional and other format characters, lone surrogates, private and unassigned ones, spaces other than U+0020,
 * and the two escape marks. The caller handles newlines; the variation selector that colours a pictograph stays.
 */
const UNSEEN =
  /(?!\n)(?:\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|(?!(?<=\p{Extended_Pictographic})\u{fe0f})\p{Default_Ignorable_Code_Point}|[⟨⟩\u2800])/gu

/** Abbreviations of the Unicode standard for characters that attacks use. */
const NAMES: Readonly<Record<number, string>> = Object.freeze({
  ...{ 0: 'NUL', 7: 'BEL', 8: 'BS', 9: 'TAB', 13: 'CR', 27: 'ESC', 127: 'DEL', 160: 'NBSP', 173: 'SHY' },
  ...{ 1564: 'ALM', 8203: 'ZWSP', 8204: 'ZWNJ', 8205: 'ZWJ', 8206: 'LRM', 8207: 'RLM' },
  ...{ 8234: 'LRE', 8235: 'RLE', 8236: 'PDF', 8237: 'LRO', 8238: 'RLO' },
  ...{ 8288: 'WJ', 8294: 'LRI', 8295: 'RLI', 8296: 'FSI', 8297: 'PDI', 65279: 'BOM' },
})

/** `⟨U+202E RLO⟩` for each. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const point = character.codePointAt(0) ?? 0
    const name = NAMES[point]
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    return `⟨${name === undefined ? code : `${code} ${name}`}⟩`
  })
}

/** A host name in running text, with the mailbox before it, if any. Bounded, so that a long text costs little. */
const HOST =
  /(?:([\p{L}\p{M}\p{N}._%+-]{1,64})@)?((?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,62}\.){1,10}[\p{L}][\p{L}\p{M}\p{N}-]{1,62})/gu

/** Adds, after a host that is not plain ASCII, its ASCII form and whether it mixes scripts. */
export function showHosts(shown: string): string {
  return shown.replace(HOST, (whole: string, mailbox: string | undefined, host: string) => {
    const notes = [...notesOn(host), ...(mixes(mailbox ?? '') ? [scriptsIn(mailbox ?? '')] : [])]
    return notes.length === 0 ? whole : `${whole} ⟨${notes.join(', ')}⟩`
  })
}

/** The only platform API used here: a standard, pure parser, equal at both places. */
declare const URL: new (text: string) => { readonly hostname: string }

function notesOn(host: string): readonly string[] {
  if (/^[\x21-\x7e]+$/.test(host))
    return /(?:^|\.)xn--/i.test(host) ? ['encoded: it may look like another name'] : []
  const mixed = host.split('.').find(mixes)
  return [asciiOf(host), ...(mixed === undefined ? [] : [scriptsIn(mixed)])]
}

/** Punycode, as a resolver would query it (WHATWG URL, UTS #46). */
function asciiOf(host: string): string {
  try {
    return new URL(`http://${host}/`).hostname
  } catch {
    return 'no valid host name'
  }
}

const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Han', /\p{Script=Han}/u],
] as const

/** Scripts that are commonly combined (UTS #39, highly restrictive): each with Han and with Latin. */
const TOGETHER: readonly string[] = ['Latin', 'Han', 'Japanese', 'Hangul']

function mixes(word: string): boolean {
  const found = foundIn(word)
  return found.length > 1 && !found.every((script) => TOGETHER.includes(script))
}

function scriptsIn(word: string): string {
  return `mixes ${foundIn(word).join(' and ')}`
}

function foundIn(word: string): readonly string[] {
  return SCRIPTS.filter(([, pattern]) => pattern.test(word)).map(([name]) => name)
}

/** Begins every line of a value except its first. No other line begins like this. */
const MORE = '    | '
const ITEM = '    - '
const MORE_OF_ITEM = '      | '

/** Strings that could be mistaken for something else: empty, a number, a list, a quoted string, or with spaces at an end. */
const AMBIGUOUS = /^(?:$|[\s"([{]|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$)|\s$/u

/**
 * Lines of a card for one argument. `note`: the kernel's remark on an address; null
 * for none. Rows of a list are numbered, so that they can be left out by number.
 */
export function previewOf(name: string, value: Json, note: (address: string) => string | null): string {
  if (!Array.isArray(value)) return `  ${name}: ${scalar(value, MORE, note)}`
  if (value.length === 0) return `  ${name}: (none)`
  const items = value.map((item: Json, at) =>
    isPlainRecord(item)
      ? `    ${at + 1}. ${rowText(item as { readonly [key: string]: Json }, note)}`
      : `${ITEM}${scalar(item, MORE_OF_ITEM, note)}`,
  )
  return [`  ${name}:`, ...items].join('\n')
}

/** Text of one line without a character that separates values of a row. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .@_'’+-]*$/u

/** `email: tom@example.com, name: Tom`, in the order of the digested bytes; ambiguous values are quoted. */
function rowText(row: { readonly [key: string]: Json }, note: (address: string) => string | null): string {
  const values = Object.keys(row)
    .toSorted()
    .map((key) => {
      const value = row[key] ?? null
      const isPlain = typeof value === 'string' && PLAIN.test(value) && !AMBIGUOUS.test(value)
      const shown = visible(isPlain ? value : canonicalJson(value), MORE_OF_ITEM)
      return `${key}: ${shown}${typeof value === 'string' ? noted(value, note) : ''}`
    })
  return values.join(', ')
}

/** Whether a line continues the value above it. */
export function continues(line: string): boolean {
  return line.startsWith(MORE) || line.startsWith(MORE_OF_ITEM)
}

function scalar(value: Json, more: string, note: (address: string) => string | null): string {
  if (typeof value !== 'string') return visible(canonicalJson(value), more)
  const text = visible(value, more)
  const shown = AMBIGUOUS.test(value) ? `"${text}"` : text
  return `${shown}${noted(value, note)}`
}

function noted(value: string, note: (address: string) => string | null): string {
  const said = note(value)
  return said === null ? '' : ` ⟨${visible(said, '').replace(/[\n⟨⟩]/g, ' ')}⟩`
}

function visible(text: string, more: string): string {
  return showHosts(showUnseen(text)).replaceAll('\n', `\n${more}`)
}
