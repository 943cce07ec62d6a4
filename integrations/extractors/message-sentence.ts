/**
 * The grammar of the sentences by which packages say how people ask (DESIGN §9): each becomes one pattern, anchored and without nested
 * repetition, so that it takes linear time on any text. Must not know a tool. Called by message-requests.ts and the rules planner.
 */
import type { WordLists } from '../tools/phrase.ts'
import { GENITIVE, NTH, URL_START } from './message-words.ts'

/** What a sentence took of a text, as typed: by slot. */
export type Taken = Readonly<Record<string, string>>

export interface Sentence {
  /** An address says more than any word: such a sentence is tried before others. */
  readonly hasAddress: boolean
  /** It ends in `{topic}`, which takes characters that must be as typed. */
  readonly hasTopic: boolean
  readonly match: (text: string) => Taken | null
}

export interface Grammar {
  readonly lists: WordLists
  /** Punctuation between words is as good as a space; else one space is, and nothing more. */
  readonly loose: boolean
}

/** Stands in a text for a time that was found in it: no other slot takes it. */
export const WHEN_MARK = '\u0001'

/** How much of a message decides what it asks for, in characters: a request comes first. */
export const INTENT_HEAD = 1_000
/** Characters of a gap in the middle of a sentence, and words of a slot: a request is short, and a name is shorter. */
const GAP = 60
const SLOT_WORDS = 8
/** Words of a list that stand one after the other: `all my new ones of`. */
const RUN = 6

/** No letter, number or underscore on that side. */
const BEGIN = '(?<![\\p{L}\\p{N}_])'
const END = '(?![\\p{L}\\p{N}_])'
const SPACE = '\\s'
const PUNCTUATION = '[\\s,;.!?]'
const SLOT_WORD = `[^\\s,;.!?${WHEN_MARK}]+(?:[.,][^\\s,;.!?${WHEN_MARK}]+){0,8}`
/** Words by which a time is known to be named somewhere. */
const TIME = '(?:\\d|day\\b|tomorrow|tonight|noon|morning|evening|week)'

/** What may stand before a part of a sentence: its beginning or a space; or any place where a word begins. */
type Lead = 'next' | 'anywhere'

/**
 * Words as they stand, `(one|other)`, `[may be left out]`, `<list>`, `<list>*` for up to six of them, `!(not this)`, `...` for anything,
 * `{any 0-3}` and `{plain 1-2}` for so many words, `{number}`, `{nth}`, `{whose}`, `{address}`, `{when}`, `{topic}` for all to the end, and any other
 * `{slot}` for a name. Behind ` + ` stands what is somewhere in the message as well, behind ` - ` what is nowhere in it. Throws where the
 * package is at fault: a list that is not there, a bracket that is not closed.
 */
export function sentenceOf(source: string, grammar: Grammar): Sentence {
  const [main = '', ...others] = source.split(/ (?=[+-] )/)
  const isOpen = main.endsWith(' ...') || main.endsWith('{topic}') || others.length > 0
  const end = isOpen ? '' : grammar.loose ? `${PUNCTUATION}{0,20}$` : '$'
  const pattern = new RegExp(`^${patternOf(main.replace(/ \.\.\.$/, ''), grammar, 'next')}${end}`, 'ius')
  const beside = others.map((other) => ({
    wanted: other.startsWith('+'),
    pattern: new RegExp(somewhere(other.slice(2), grammar), 'iu'),
  }))
  return {
    hasAddress: source.includes('{address}'),
    hasTopic: main.endsWith('{topic}'),
    match: (text) => {
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

function somewhere(part: string, grammar: Grammar): string {
  if (part === '{when}') return TIME
  if (part === '{address}') return URL_START
  return patternOf(part, grammar, 'anywhere')
}

function patternOf(source: string, grammar: Grammar, lead: Lead): string {
  const tokens = source.match(/\{[^}]*\}|<\w+>\*?|\.\.\.|[()[\]|]|![(]|[^\s()[\]|<>{}]+/g) ?? []
  const reader = { tokens, at: 0, grammar }
  const pattern = alternatives(reader, lead)
  if (reader.at < tokens.length) throw new Error(`a bracket too many in the sentence: ${source}`)
  return pattern
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  readonly grammar: Grammar
}

/** Up to the bracket that closes them, or to the end. */
function alternatives(reader: Reader, lead: Lead): string {
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
    // What may be left out leaves what comes next where it was.
    before = token === '...' || (before === 'anywhere' && token === '[') ? 'anywhere' : 'next'
  }
  return found.length === 1 ? (found[0] ?? '') : `(?:${found.join('|')})`
}

function itemOf(token: string, reader: Reader, lead: Lead): string {
  switch (token) {
    case '(':
      return closed(reader, ')', lead)
    case '[':
      return `(?:${closed(reader, ']', lead)})?`
    case '!(':
      return `(?!${closed(reader, ')', lead)})`
    case '...':
      return `.{0,${GAP}}?`
    default:
  }
  if (token.startsWith('{')) return slotOf(token.slice(1, -1), reader.grammar, lead)
  if (!token.startsWith('<')) return `${leadOf(reader.grammar, lead)}${escaped(token)}${END}`
  const words = listOf(token.replace(/[<>*]/g, ''), reader.grammar, lead)
  return token.endsWith('*') ? `(?:${words}){0,${RUN}}` : words
}

function closed(reader: Reader, bracket: string, lead: Lead): string {
  const pattern = alternatives(reader, lead)
  if (reader.tokens[reader.at] !== bracket)
    throw new Error(`a bracket is not closed: ${reader.tokens.join(' ')}`)
  reader.at += 1
  return pattern
}

function listOf(name: string, grammar: Grammar, lead: Lead): string {
  const rows = grammar.lists[name]
  if (rows === undefined) throw new Error(`a sentence names a list that is not there: ${name}`)
  return `(?:${rows.map((row) => patternOf(row, grammar, lead)).join('|')})`
}

function slotOf(slot: string, grammar: Grammar, lead: Lead): string {
  const before = leadOf(grammar, lead)
  const [, kind = '', least = '', most = ''] = /^(any|plain) (\d)-(\d)$/.exec(slot) ?? []
  if (kind !== '') return `(?:${before}${kind === 'any' ? '\\S+' : '\\p{L}+'}){${least},${most}}?`
  switch (slot) {
    case 'number':
      return `${before}\\d{1,3}${END}`
    case 'nth':
      return `${before}(?:${NTH})${END}`
    case 'whose':
      return `(?:${before}\\S+){0,2}?${before}${GENITIVE}`
    case 'address':
      return `${before}[<("'[]?${URL_START}\\S{0,2048}`
    case 'when':
      return `${before}${WHEN_MARK}`
    case 'topic':
      return `${before}(?<topic>\\S.*)$`
    default:
      return `${before}(?<${slot}>${SLOT_WORD}(?:${PUNCTUATION}{1,9}${SLOT_WORD}){0,${SLOT_WORDS - 1}}?)`
  }
}

function leadOf({ loose }: Grammar, lead: Lead): string {
  const space = loose ? `${PUNCTUATION}{1,9}` : SPACE
  return lead === 'anywhere' ? `(?:${space}|${BEGIN})` : `(?:^|${space})`
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?/]/g, '\\$&').replaceAll("'", "['’]")
}
