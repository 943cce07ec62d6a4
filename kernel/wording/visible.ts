/**
 * Text as it really is: every character that cannot be seen, or that changes how others are seen, stands as a named
 * escape, and names of hosts that imitate others are shown in the alphabet that machines read (F-03). Two texts that
 * differ are shown differently: what is added stands in ⟨…⟩, and those two signs are escaped themselves. Pure text;
 * must not cut or remove. Called by preview.ts.
 */

/**
 * Controls, bidirectional and other format characters, lone surrogates, private and unassigned ones, blanks other than
 * the space, and the signs that mark an escape. A newline is the caller's; the selector that colours a pictograph stays.
 */
const UNSEEN =
  /(?!\n)(?:\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|(?!(?<=\p{Extended_Pictographic})\u{fe0f})\p{Default_Ignorable_Code_Point}|[⟨⟩\u2800])/gu

/** Abbreviations of the Unicode standard, for the ones that attacks are made of. */
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

/** A host name in running text, with the mailbox before it if there is one. Bounded, so that a long text costs little. */
const HOST =
  /(?:([\p{L}\p{M}\p{N}._%+-]{1,64})@)?((?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,62}\.){1,10}[\p{L}][\p{L}\p{M}\p{N}-]{1,62})/gu

/** After a host that is not plain ASCII: what it is to machines, and whether it mixes alphabets. */
export function showHosts(shown: string): string {
  return shown.replace(HOST, (whole: string, mailbox: string | undefined, host: string) => {
    const notes = [...notesOn(host), ...(mixes(mailbox ?? '') ? [scriptsIn(mailbox ?? '')] : [])]
    return notes.length === 0 ? whole : `${whole} ⟨${notes.join(', ')}⟩`
  })
}

/** The one thing of the platform that is needed here: a standard, pure parser, the same at both places. */
declare const URL: new (text: string) => { readonly hostname: string }

function notesOn(host: string): readonly string[] {
  if (/^[\x21-\x7e]+$/.test(host))
    return /(?:^|\.)xn--/i.test(host) ? ['encoded: it may look like another name'] : []
  const mixed = host.split('.').find(mixes)
  return [asciiOf(host), ...(mixed === undefined ? [] : [scriptsIn(mixed)])]
}

/** Punycode, as a resolver would ask for it (WHATWG URL, UTS #46). */
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

/** Alphabets that people do write together (UTS #39, highly restrictive): each with Han and with Latin. */
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
