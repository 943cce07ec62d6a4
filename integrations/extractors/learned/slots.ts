/**
 * Accounts for every word of a message under one class: words of the class, a time, filler, or a slot delimited by known words.
 * A leftover word rejects the class. Must not score. Called by piece.ts; its word lists also by the other readers, the rules
 * model and training.
 */

import type { Phrase } from '../../tools/phrase.ts'
import { FILLER, namesCalendar, saysSecond } from '../message/message-coverage.ts'
import { excludes } from '../message/message-sentence.ts'
import { type Class, isOfShape, listsOf, neededSlots } from './classes.ts'
import type { Known } from './table.ts'
import type { Reading, Token } from './tokens.ts'

export interface Filled {
  readonly slots: Readonly<Record<string, string>>
}

export interface NotFilled {
  /** Words that neither the class, a time, filler nor a slot accounts for. */
  readonly left: readonly string[]
}

type Row = Known['classes'][number]

export interface Text extends Reading {
  readonly text: string
}

/**
 * Words that in a title or a name start something beyond the request, so the class is rejected; in a text to the end they
 * belong to the text.
 */
const REFUSED = new Set(
  (
    'every each daily weekly monthly yearly weekdays always if unless except instead then but because not dont never no what who ' +
    'book add schedule create remember remind check read show send reply delete archive ' +
    'when why how which whether i im it is am are was were be and or also und oder dann aber nicht kein jeden jede jedes täglich ' +
    'wöchentlich wenn falls unless until otherwise cancel move ' +
    'welche welcher welches wann wo wie wer was any anything brauch brauche ' +
    'put pop stick enter trag setz list lists liste einkaufsliste ' +
    'so too very ugh sooo ' +
    'everything alles people everyone everybody them others ' +
    'he hes she shes they theyre we were weve ive youre hasnt isnt cant muss musst müssen kann kannst will willst soll sollst weil aufs'
  ).split(' '),
)
const MOST_NAME_WORDS = 4
const MOST_TITLE_WORDS = { timed: 10, other: 7 } as const
export const ARTICLES: ReadonlySet<string> = new Set([
  'the',
  'my',
  'a',
  'an',
  'our',
  'any',
  'der',
  'die',
  'das',
  'den',
  'dem',
  'mein',
  'meine',
  'meinen',
])

export function fill(said: Text, row: Row, { phrase, writes }: Class): Filled | NotFilled {
  if (phrase === null) return { left: [] }
  if (row.timed && said.dates.span === null && phrase.takes?.topic === undefined) return { left: [] }
  // In courtesy a time asks for nothing.
  const isTalk = phrase.plan.length === 0 && !MEMORY.test(phrase.intent ?? '')
  const takesWhen = isTalk || phrase.takes?.when !== undefined || row.beside['when'] !== undefined
  const isOwn = (token: Token): boolean => isAccounted(token, row, takesWhen)
  const head = row.heads.length > 0 ? headOf(said, row.heads) : null
  if (head !== null && excluded(phrase, said.text)) return { left: [] }
  if (head !== null && phrase.intent === 'memory_search' && SECOND_QUESTION.test(said.text))
    return { left: [] }
  if (head !== null && phrase.intent === 'memory_save' && isNoFact(said)) return { left: [] }
  if (head !== null) return withNeeded(phrase, head.slots, said, head.at)
  if (row.heads.length > 0) return { left: leftOf(said.tokens, isOwn) }
  if (phrase.takes?.topic !== undefined) return titled(said, row, phrase, isOwn)
  const isFree = (norm: string): boolean => !writes && OTHERS.has(norm)
  const never = said.tokens.filter(({ norm }) => NEVER.has(norm) && !row.has.has(norm) && !isFree(norm))
  if (never.length > 0) return { left: never.map(({ norm }) => norm) }
  const spans = spansOf(said.tokens, isOwn)
  const slots: Record<string, string> = {}
  const address = said.tokens.find(({ kind }) => kind === 'address')
  if (address !== undefined) slots['address'] = wordsAt(said, address, address)
  const mail = said.tokens.find(({ kind }) => kind === 'mail')
  if (mail !== undefined) slots['address_of'] = wordsAt(said, mail, mail)
  for (const span of spans) {
    const slot = slotFor(span, said.tokens, row, slots)
    const words = said.tokens.slice(span.from, span.to)
    if (slot === null || words.length > MOST_NAME_WORDS || words.some(isNoName))
      return { left: words.map(({ norm }) => norm) }
    slots[slot] = wordsOf(said, words)
    const before = said.tokens[span.from - 1]
    const articles = before !== undefined && ARTICLES.has(before.norm) ? `${before.norm} ` : ''
    if (!isOfShape(phrase, slot, articles, slots[slot])) return { left: words.map(({ norm }) => norm) }
  }
  if (said.asks && neededSlots(phrase).includes('topic')) return { left: ['?'] }
  return withNeeded(phrase, slots, said, null)
}

const MEMORY = /^memory/
const SECOND_QUESTION =
  /\b(?:and|und|or|oder) (?:is|are|what|whats|when|where|who|how|do|does|did|can|will|am|have|ist|sind|was|wann|wo|wer|wie|hab|habe|kann|muss)\b/i

/** True for a second request, or for something to be done repeatedly. */
function isNoFact({ text, tokens }: Text): boolean {
  const isToDo = tokens.some(({ norm }, at) => norm === 'remember' && tokens[at + 1]?.norm === 'to')
  return saysSecond(text) || (isToDo && tokens.some(({ norm }) => REPEATS.has(norm)))
}

function withNeeded(
  phrase: NonNullable<Class['phrase']>,
  slots: Readonly<Record<string, string>>,
  said: Text,
  topicAt: number | null,
): Filled | NotFilled {
  const token = topicAt === null ? undefined : said.tokens[topicAt]
  const topic = token === undefined ? {} : { topic: said.text.slice(token.start).trim() }
  const all: Readonly<Record<string, string>> = { ...slots, ...topic }
  const missing = neededSlots(phrase).filter((name) => !Object.hasOwn(all, name))
  return missing.length > 0 ? { left: missing.map((name) => `{${name}}`) } : { slots: all }
}

function isAccounted({ kind, norm }: Token, row: Row, takesWhen: boolean): boolean {
  switch (kind) {
    case 'when':
      return takesWhen
    case 'address':
      return row.beside['address'] !== undefined
    case 'mail':
      return row.beside['address_of'] !== undefined || row.beside['mail'] !== undefined
    case 'number':
      return row.beside['number'] !== undefined
    default:
      return row.has.has(norm) || FILLER.has(norm)
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Runs of unaccounted words; an article or "of" between two of them joins them. */
function spansOf(tokens: readonly Token[], isOwn: (token: Token) => boolean): readonly Span[] {
  const spans: Span[] = []
  tokens.forEach((token, at) => {
    if (isOwn(token)) return
    const last = spans.at(-1)
    const between = last === undefined ? [] : tokens.slice(last.to, at)
    const joins = between.length <= 1 && between.every(({ norm }) => norm === 'of' || ARTICLES.has(norm))
    if (last !== undefined && joins) spans[spans.length - 1] = { from: last.from, to: at + 1 }
    else spans.push({ from: at, to: at + 1 })
  })
  return spans
}

function leftOf(tokens: readonly Token[], isOwn: (token: Token) => boolean): readonly string[] {
  return tokens.filter((token) => !isOwn(token)).map(({ norm }) => norm)
}

function isNoName({ kind, norm }: Token): boolean {
  return (kind !== 'word' && kind !== 'unknown' && kind !== 'number') || REFUSED.has(norm)
}

/** The unfilled slot whose trained neighbours match those of the span; null if none does. */
function slotFor(
  { from, to }: Span,
  tokens: readonly Token[],
  row: Row,
  filled: Readonly<Record<string, string>>,
): string | null {
  const before = neighbours(tokens, from - 1, -1, '^')
  const after = neighbours(tokens, to, 1, '$')
  const pairs = before.flatMap((lead) => after.map((tail) => `${lead} ${tail}`))
  const fits = Object.keys(row.beside).find(
    (slot) =>
      !TYPED.has(slot) &&
      filled[slot] === undefined &&
      pairs.some((pair) => row.beside[slot]?.includes(pair)),
  )
  return fits ?? null
}

/** Slots that a recogniser fills; a `site` is read by declared sentences only. */
const TYPED = new Set(['when', 'address', 'site', 'address_of', 'mail', 'number', 'nth', 'topic'])

/** The words that can count as the neighbour of a slot: the adjacent one, and behind an article or filler also the next. */
function neighbours(tokens: readonly Token[], at: number, step: 1 | -1, end: string): readonly string[] {
  const token = tokens[at]
  if (token === undefined) return [end]
  const mark = token.kind === 'when' || token.kind === 'number' ? `{${token.kind}}` : token.norm
  const isSmall = ARTICLES.has(token.norm) || (step === 1 && FILLER.has(token.norm))
  return [
    mark,
    ...(isSmall || (step === 1 && token.kind === 'when') ? neighbours(tokens, at + step, step, end) : []),
  ]
}

/** The request is for many events at once, which a single title does not cover. */
const OF_MANY =
  /(?<!\p{L})(?:everything|alles|(?:whole|entire|ganze) (?:\p{L}+ ){0,3}?(?:series|serie)|all (?:my|the|of|meetings|appointments|events|calls)|alle (?:meine |die )?(?:termine|meetings))(?!\p{L})/iu

/** The title: the words of an appointment request without its time and without the request's own words at both ends. */
function titled(said: Text, row: Row, phrase: Phrase, isOwn: (token: Token) => boolean): Filled | NotFilled {
  // "The exam is on the 12th": the verb before a time does not belong to the title.
  const isVerb = ({ norm }: Token, at: number): boolean =>
    IS.has(norm) && said.tokens[at + 1]?.kind !== 'word'
  const words = said.tokens.filter((token, at) => token.kind !== 'when' && !isVerb(token, at))
  if (namesCalendar(said.text)) return { left: ['calendar'] }
  if (OF_MANY.test(said.text)) return { left: words.map(({ norm }) => norm) }
  if (excluded(phrase, said.text)) return { left: words.map(({ norm }) => norm) }
  if (said.asks && words[0] !== undefined && !isOwn(words[0])) return { left: ['?'] }
  let [from, to] = [0, words.length]
  while (from < to && isOwnAt(words, from, isOwn)) from += 1
  while (to > from && isOwnAt(words, to - 1, isOwn)) to -= 1
  const title = words.slice(from, to)
  // "milk eggs bin bags": a word of the request in the middle of a list asks for nothing. A new appointment
  // needs none.
  const isNamed = from > 0 || to < words.length
  if (!isNamed && title.length > 1 && phrase.takes?.when?.exact === undefined)
    return { left: title.map(({ norm }) => norm) }
  const most = said.dates.span?.named === 'time' ? MOST_TITLE_WORDS.timed : MOST_TITLE_WORDS.other
  if (title.length > most || title.some(({ norm }) => REFUSED.has(norm)))
    return { left: title.map(({ norm }) => norm) }
  if (words.some(({ norm }) => NEVER.has(norm))) return { left: words.map(({ norm }) => norm) }
  // "The old one" is no title.
  if (title.length > 0 && /^ones?$/.test(words[to]?.norm ?? ''))
    return { left: title.map(({ norm }) => norm) }
  if (isMistyped(title[0], row)) return { left: [title[0]?.norm ?? ''] }
  return { slots: title.length === 0 ? {} : { what: wordsOf(said, title) } }
}

const IS: ReadonlySet<string> = new Set('is are ist sind wird'.split(' '))

const exclusions = new WeakMap<Phrase, readonly RegExp[]>()

/** True if the message has words that the phrase's sentences exclude: "add milk to my list" is no appointment. */
function excluded(phrase: Phrase, text: string): boolean {
  const known = exclusions.get(phrase) ?? excludes(Object.values(phrase.says).flat(), listsOf(phrase))
  exclusions.set(phrase, known)
  return known.some((pattern) => pattern.test(text))
}

/** True if the first word may be a typo of the request's verb ("bok dentist"); the owner is then asked again. */
function isMistyped(token: Token | undefined, row: Row): boolean {
  if (token?.kind !== 'unknown' || token.norm.length > 5 || token.norm.length < 3) return false
  return row.words.some(
    (word) => word.length >= 3 && word[0] === token.norm[0] && isOneEdit(token.norm, word),
  )
}

function isOneEdit(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const [a, b] = [one.slice(at), other.slice(at)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

/** Words of repetition. */
export const REPEATS: ReadonlySet<string> = new Set(
  'every each daily weekly monthly weekdays weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays jeden jede jedes täglich wöchentlich'.split(
    ' ',
  ),
)

/** Words of reported speech or possibility; no write is read beside them. */
const OTHERS: ReadonlySet<string> = new Set(
  'said says told tell asked wrote will would should could might'.split(' '),
)

/** Words of repetition, condition, negation, reported speech or possibility, which block a reading wherever they stand. */
export const NEVER: ReadonlySet<string> = new Set([
  ...REPEATS,
  ...'unless if except not dont never wenn falls nicht'.split(' '),
  ...OTHERS,
])

function isOwnAt(words: readonly Token[], at: number, isOwn: (token: Token) => boolean): boolean {
  const token = words[at]
  return token !== undefined && isOwn(token)
}

function wordsAt({ text }: Text, first: Token, last: Token): string {
  return text.slice(first.start, last.end)
}

/** The words as typed, without a time between them. */
function wordsOf(said: Text, tokens: readonly Token[]): string {
  return tokens
    .map((token, at) => {
      const next = tokens[at + 1]
      const between = next === undefined ? '' : said.text.slice(token.end, next.start)
      return said.text.slice(token.start, token.end) + (/^[\s,]{0,2}$|^ & $/.test(between) ? between : ' ')
    })
    .join('')
    .trim()
}

/** Maximum words of a slot within the beginning of a sentence. */
const SLOT_WORDS = 3

interface Head {
  readonly at: number
  readonly slots: Readonly<Record<string, string>>
}

/**
 * The longest matching beginning of a sentence that ends in a text. If it ends with a slot, a punctuation mark must follow: "to
 * Sarah: yes".
 */
function headOf(said: Text, heads: readonly string[]): Head | null {
  const found = heads.flatMap((head) => headsAt(said, head.split(' '), 0, 0, {}))
  return found.reduce<Head | null>((best, one) => (best === null || one.at > best.at ? one : best), null)
}

function headsAt(
  said: Text,
  head: readonly string[],
  word: number,
  at: number,
  slots: Readonly<Record<string, string>>,
): readonly Head[] {
  const { tokens, text } = said
  const [wanted, token] = [head[word], tokens[at]]
  if (token === undefined) return []
  if (wanted === undefined) {
    const before = text.slice(tokens[at - 1]?.end ?? 0, token.start)
    return head.at(-1)?.startsWith('{') === true && !/[:,–-]/.test(before) ? [] : [{ at, slots }]
  }
  if (!wanted.startsWith('{'))
    return token.norm === wanted ? headsAt(said, head, word + 1, at + 1, slots) : []
  const name = wanted.slice(1, -1)
  const most = name === 'address_of' ? 1 : SLOT_WORDS
  return Array.from({ length: most }, (_, index) => index + 1).flatMap((count) => {
    const words = tokens.slice(at, at + count)
    const isRun = /^[^,:;.!?–-]*$/.test(
      text.slice(token.start, words.at(-1)?.end ?? token.end).replaceAll('-', ''),
    )
    const isSlot = name === 'address_of' ? token.kind === 'mail' : isRun && !words.some(isNoName)
    return words.length < count || !isSlot || ARTICLES.has(token.norm)
      ? []
      : headsAt(said, head, word + 1, at + count, { ...slots, [name]: wordsOf(said, words) })
  })
}
