/**
 * The grammar of the sentences with which packages declare requests (DESIGN §9). Each becomes one pattern, anchored and without
 * nested repetition, so that it takes linear time on any text. Must not know a tool. Called by message-requests.ts and the
 * rules planner.
 */
import type { SlotShape, WordLists } from '../../tools/phrase.ts'
import { GENITIVE, NTH, SITE, URL_START } from './contents/message-words.ts'

/** The texts of a sentence's slots, as typed. */
export type Taken = Readonly<Record<string, string>>

export interface Sentence {
  /** An address is more specific than any word, so such a sentence is tried first. */
  readonly hasAddress: boolean
  /** It has a `{topic}`, which must keep the characters as typed. */
  readonly hasTopic: boolean
  /** It has a `{when}`, which is a time as a whole. */
  readonly hasWhen: boolean
  /** It has a slot of its own shape and none for a time: a time in the message can only be in that slot. */
  readonly hasShape: boolean
  /** `held`: what was seen of this text, so that each thing is looked for once in it. */
  readonly match: (text: string, held?: Held) => Taken | null
}

/** Of one text; whoever has the text keeps it. */
export interface Held {
  readonly lower: string
  readonly shapes: Map<SlotShape, boolean>
}

export function heldOf(text: string): Held {
  return { lower: text.toLowerCase(), shapes: new Map() }
}

export interface Grammar {
  readonly lists: WordLists
  /** Punctuation between words counts as a space; otherwise exactly one space is needed. */
  readonly loose: boolean
  /** Of the package's own slots. */
  readonly shapes?: Readonly<Record<string, SlotShape>>
}

/** Placeholder for a time found in a text. No other slot matches it. */
export const WHEN_MARK = '\u0001'

/** Characters of a message that decide its intent: a request comes first. */
export const INTENT_HEAD = 1_000
/** Maximum characters of a gap within a sentence, and maximum words of a slot: requests are short, and names are shorter. */
const GAP = 60
const SLOT_WORDS = 8
/** Maximum number of consecutive words of a list: `all my new ones of`. */
const RUN = 6

/** Letters as ranges: a pattern with Unicode property names takes a hundred times as long to build. */
const LETTERS = '\\u00c0-\\u1fff\\u2c00-\\ud7ff'
/** Boundaries: no letter, digit or underscore on that side. */
const BEGIN = `(?<![\\w${LETTERS}])`
const END = `(?![\\w${LETTERS}])`
/** Separators between words, and a position where a word may begin with or without one. */
const STRICT = { space: '\\s', either: '(?:(?<!\\S)|\\s)' }
const LOOSE = { space: '[\\s,;.!?]{1,9}', either: '(?:(?<![^\\s,;.!?])|[\\s,;.!?]{1,9})' }
const SLOT_WORD = `[^\\s,;.!?${WHEN_MARK}]+(?:[.,][^\\s,;.!?${WHEN_MARK}]+){0,8}`
/** Patterns for the presence of a day, and of a time. */
const DAY_NAMED = '(?:\\d|day\\b|tomorrow|tag\\b|mittwoch|heute|morgen\\b)'
/** A time of day in words: "half past ten", "to three o'clock", "viertel nach vier". */
const HOUR_NAMED =
  "(?:(?:half|quarter|five|ten|twenty) (?:past|after|to)\\b|(?:at|to|half) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\\b|o['’]?clock|(?:halb|dreiviertel) \\S|(?:viertel|fünf|zehn|zwanzig) (?:vor|nach)\\b|(?:um|auf) (?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|\\S uhr\\b)"
const TIME_NAMED = `(?:${DAY_NAMED}|tonight|noon|morning|evening|week|woche|abend|mittag|früh|${HOUR_NAMED})`

/**
 * A pattern is made when a text has the words and shapes that it needs: most never are. Notation: words as they are, `(one|other)`, `[optional]`, `<list>`, `<list>*` for up to six of its words, `!(not this)`,
 * `:` for a colon, `...` for anything, `{any 0-3}` and `{plain 1-2}` for a number of words, `{number}`, `{nth}`, `{whose}`, `{address}`,
 * `{site}` for an address with or without its scheme, `{when}`, `{topic}` for everything to the end or to the words behind it, and any other `{slot}` for a name. After ` + `: what must also occur somewhere
 * in the message (a `{day}`, `{when}`). After ` - `: what must not occur. Throws on an error of the package: an unknown list,
 * an unclosed bracket.
 */
export function sentenceOf(source: string, grammar: Grammar): Sentence {
  const [main = '', ...others] = source.split(/ (?=[+-] )/)
  const hasTopic = main.includes('{topic}')
  // What a request without a name must also hold stands within it; a named one is checked for words that are left.
  const isOpen = main.endsWith(' ...') || (others.length > 0 && !grammar.loose)
  const closed = grammar.loose ? '[\\s,;.!?]{0,20}$' : '\\??$'
  const end = main.endsWith('{topic}') ? '' : isOpen ? END : closed
  const patternNow = (): RegExp =>
    new RegExp(`^${patternOf(main.replace(/ \.\.\.$/, ''), grammar, '')}${end}`, 'is')
  const besideNow = () =>
    others.map((other) => ({
      wanted: other.startsWith('+'),
      pattern: new RegExp(somewhere(other.slice(2), grammar), 'i'),
    }))
  let made: { readonly pattern: RegExp; readonly beside: ReturnType<typeof besideNow> } | null = null
  const tokens = needed(main)
  const needs = tokens.map((token) => wordsOf(token, grammar.lists)).filter(({ length }) => length > 0)
  const shaped = shapesOf(tokens, grammar.shapes ?? {})
  return {
    hasAddress: source.includes('{address}'),
    hasTopic,
    hasWhen: main.includes('{when}'),
    hasShape:
      !main.includes('{when}') && Object.keys(grammar.shapes ?? {}).some((one) => main.includes(`{${one}}`)),
    match: (text, held = heldOf(text)) => {
      // Long texts are rare, and looked through once.
      if (
        text.length <= INTENT_HEAD &&
        !(hasEach(held.lower, needs) && shaped.every((one) => holds(text, one, held.shapes)))
      )
        return null
      made ??= { pattern: patternNow(), beside: besideNow() }
      const { pattern, beside } = made
      const found = pattern.exec(text)
      if (found === null) return null
      const head = text.slice(0, INTENT_HEAD)
      if (beside.some((one) => one.pattern.test(head) !== one.wanted)) return null
      return Object.fromEntries(
        Object.entries(found.groups ?? {}).filter((slot): slot is [string, string] => slot[1] !== undefined),
      )
    },
  }
}

function hasEach(text: string, needs: readonly (readonly string[])[]): boolean {
  return needs.every((words) => words.some((word) => text.includes(word)))
}

/** Tokens outside brackets, without which no text matches; none if they are one of several sentences. */
function needed(main: string): readonly string[] {
  let depth = 0
  const found: string[] = []
  for (const token of tokensOf(main)) {
    if (token === '|' && depth === 0) return []
    if (token === '(' || token === '[' || token === '!(') depth += 1
    else if (token === ')' || token === ']') depth -= 1
    else if (depth === 0) found.push(token)
  }
  return found
}

const shapePatterns = new WeakMap<SlotShape, RegExp>()

function holds(text: string, shape: SlotShape, held: Held['shapes']): boolean {
  const known = held.get(shape)
  if (known !== undefined) return known
  const pattern = shapePatterns.get(shape) ?? new RegExp(shape.pattern, 'is')
  shapePatterns.set(shape, pattern)
  const found = pattern.test(text)
  held.set(shape, found)
  return found
}

function shapesOf(
  tokens: readonly string[],
  shapes: Readonly<Record<string, SlotShape>>,
): readonly SlotShape[] {
  return tokens.flatMap((token) => {
    const shape = token.startsWith('{') ? shapes[token.slice(1, -1)] : undefined
    return shape === undefined ? [] : [shape]
  })
}

/** The first words of what a token stands for, in lower case; none where they are not plain. */
function wordsOf(token: string, lists: WordLists): readonly string[] {
  if (token.startsWith('{') || token === '...' || token.endsWith('*')) return []
  const name = /^<(\w+)>$/.exec(token)?.[1]
  const said = name === undefined ? [token] : listed(name, lists)
  return said.some((entry) => /[<>[\](){}|*]/.test(entry))
    ? []
    : said.map((entry) => (/^[^\s'’-]+/.exec(entry)?.[0] ?? '').toLowerCase())
}

/** Patterns of what must not occur in a message, by one of these sentences. */
export function excludes(sources: readonly string[], lists: WordLists): readonly RegExp[] {
  const parts = sources.flatMap((source) =>
    source.split(/ (?=[+-] )/).filter((part) => part.startsWith('- ')),
  )
  return [...new Set(parts)].map((part) => new RegExp(somewhere(part.slice(2), { lists, loose: false }), 'i'))
}

/** Pattern source for one of the words of a list. */
export function listPattern(name: string, lists: WordLists): string {
  return listOf(name, { lists, loose: false })
}

/** Whether a text contains one of the words of a list. */
export function mentions(text: string, name: string, lists: WordLists): boolean {
  return new RegExp(`${BEGIN}${listPattern(name, lists)}${END}`, 'i').test(text)
}

function somewhere(part: string, grammar: Grammar): string {
  if (part === '{day}') return DAY_NAMED
  if (part === '{when}') return TIME_NAMED
  if (part === '{address}') return URL_START
  return `${BEGIN}${patternOf(part, grammar, '')}${END}`
}

/** `lead`: what must precede the first word. */
function patternOf(source: string, grammar: Grammar, lead: string): string {
  const tokens = tokensOf(source)
  const reader = { tokens, at: 0, grammar }
  const pattern = alternatives(reader, lead)
  if (reader.at < tokens.length) throw new Error(`a bracket too many in the sentence: ${source}`)
  return pattern
}

function tokensOf(source: string): readonly string[] {
  return source.match(/\{[^}]*\}|<\w+>\*?|\.\.\.|[()[\]|]|!\(|[^\s()[\]|<>{}]+/g) ?? []
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  readonly grammar: Grammar
}

/** Reads alternatives up to the closing bracket, or to the end. */
function alternatives(reader: Reader, lead: string): string {
  const { space, either } = spacesOf(reader.grammar)
  const found: string[] = ['']
  let before = lead
  for (let token = reader.tokens[reader.at]; token !== undefined; token = reader.tokens[reader.at]) {
    if (token === ')' || token === ']') break
    reader.at += 1
    if (token === '|') {
      found.push('')
      before = lead
      continue
    }
    found[found.length - 1] += itemOf(token, reader, before)
    if (token === '...') before = `(?:${space}|${BEGIN})`
    // After an optional part, the next part may begin where the optional one did. A negative look-ahead consumes nothing.
    else if (token === '[') before = before === '' ? either : before
    else if (token !== '!(') before = space
  }
  return found.length === 1 ? (found[0] ?? '') : `(?:${found.join('|')})`
}

function itemOf(token: string, reader: Reader, lead: string): string {
  switch (token) {
    case '(':
      return `${lead}${closed(reader, ')', '')}`
    case '[':
      return `(?:${lead}${closed(reader, ']', '')})?`
    case '!(':
      return `(?!${lead}${closed(reader, ')', '')}${END})`
    case '...':
      return `${END}.{0,${GAP}}?`
    case ':':
      return '\\s{0,3}:'
    default:
  }
  if (token === '{topic}' && /^[^)\]|]/.test(reader.tokens[reader.at] ?? ''))
    return `${topicLead(lead)}(?<topic>\\S(?:.*\\S)?)`
  if (token.startsWith('{')) return slotOf(token.slice(1, -1), reader.grammar, lead)
  if (!token.startsWith('<')) return `${lead}${escaped(token)}`
  const words = `${lead}${listOf(token.replace(/[<>*]/g, ''), reader.grammar)}`
  return token.endsWith('*') ? `(?:${words}){0,${RUN}}` : words
}

function closed(reader: Reader, bracket: string, lead: string): string {
  const pattern = alternatives(reader, lead)
  if (reader.tokens[reader.at] !== bracket)
    throw new Error(`a bracket is not closed: ${reader.tokens.join(' ')}`)
  reader.at += 1
  return pattern
}

function listOf(name: string, grammar: Grammar): string {
  return `(?:${listed(name, grammar.lists)
    .map((row) => patternOf(row, grammar, ''))
    .join('|')})`
}

function listed(name: string, lists: WordLists): readonly string[] {
  const rows = lists[name]
  if (rows === undefined) throw new Error(`a sentence names a list that is not there: ${name}`)
  return rows
}

function slotOf(slot: string, grammar: Grammar, lead: string): string {
  const { space } = spacesOf(grammar)
  const shape = Object.hasOwn(grammar.shapes ?? {}, slot) ? grammar.shapes?.[slot] : undefined
  if (shape !== undefined) return `${lead}(?<${slot}>${shape.pattern})(?![\\w/#@-]):?`
  const [, kind = '', least = '', most = ''] = /^(any|plain) (\d)-(\d)$/.exec(slot) ?? []
  if (kind !== '') return `(?:${lead}${kind === 'any' ? '\\S' : `[a-z${LETTERS}]`}+){${least},${most}}?`
  switch (slot) {
    case 'number':
      return `${lead}\\d{1,3}`
    case 'nth':
      return `${lead}(?:${NTH})`
    case 'whose':
      return `${lead}(?:\\S+${space}){0,2}?${GENITIVE}`
    case 'address':
      return `${lead}[<("'[]?${URL_START}\\S{0,2048}`
    case 'site':
      return `${lead}(?<site>${SITE})`
    case 'when':
      return `${lead}${WHEN_MARK}`
    case 'topic':
      return `${topicLead(lead)}(?<topic>\\S.*)$`
    default:
      return `${lead}(?<${slot}>${SLOT_WORD}(?:${LOOSE.space}${SLOT_WORD}){0,${SLOT_WORDS - 1}}?)`
  }
}

/** A colon may precede a text: `post on bluesky: …`. */
function topicLead(lead: string): string {
  return lead === '' ? '' : `(?::\\s{0,9}|${lead})`
}

function spacesOf({ loose }: Grammar): typeof STRICT {
  return loose ? LOOSE : STRICT
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?/]/g, '\\$&').replaceAll("'", "['’]")
}
