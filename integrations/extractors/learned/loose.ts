/**
 * Reads a question that matches no declared sentence: the table gives the action, and its slots are found anywhere in the
 * message. Must not read a change, a condition, a repetition or a second request. Called by message-learned.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { Moment } from '../../dates/read.ts'
import type { Phrase, Phrases } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { FILLER, saysSecond } from '../message/message-coverage.ts'
import { coreAsTyped } from '../message/message-intent.ts'
import { asksChange, namedWords } from '../message/message-seek.ts'
import { CLASSES, type Class, classOf, LOOKED_UP, neededSlots, WRITES } from './classes.ts'
import { type Likely, likelyOf } from './likely.ts'
import type { Part } from './piece.ts'
import { senderIn } from './sender.ts'
import { REPEATS, type Text } from './slots.ts'
import { tableNow } from './table.ts'
import { tokensOf } from './tokens.ts'

/** Minimum score of the action, and minimum lead over the next one. */
const LEAST = 0.7
const AHEAD = 0.2
/** The same with a lower score and a larger lead. */
const ALONE = { least: 0.6, ahead: 0.45 } as const
/**
 * The same for an action whose siblings (other reads of the same service) are close: `one` is its own score, `all` the sum with
 * them, `ahead` the lead of that sum. Any of them would show what is asked for.
 */
const LEAST_OF_ALL = { one: 0.5, all: 0.92, ahead: 0.85 } as const
/** Minimum score of a single sentence to be read without the rest of the message. */
const LEAST_OF_PART = 0.4
const SENTENCES = /(?<=[\p{L}\p{N})"']\s?)[.!?;\n]+\s+(?=\S)/gu
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'wenn', 'falls'])
/** Minimum number of naming words in a question that is sent outside: "what do they need" is about something said earlier. */
const LEAST_NAMED = 2
/** Slots filled with the naming words of the message. */
const OPEN: ReadonlySet<string> = new Set(['what', 'these', 'topic', 'question', 'words', 'matter'])

export function readLoosely(text: string, moment: Moment): Part | null {
  const likely = likelyOf(text, moment)
  const [first] = likely
  if (first === undefined || WRITES.has(first.label) || saysSecond(text) || asksChange(text)) return null
  if (!isSure(likely) && !isSureOfService(likely, first)) return null
  const typed = sentenceOf(text, first.label, moment)
  const table = tableNow()
  const reading = tokensOf(typed, table.words, moment)
  // A single word is too little to go by.
  if (reading.tokens.length < 2) return null
  if (reading.tokens.some(({ norm }) => REPEATS.has(norm) || CONDITIONS.has(norm))) return null
  const said = { ...reading, text: typed }
  const norms = new Set(reading.tokens.map(({ norm }) => norm))
  for (const { phrase, of } of phrasesOf(first.label, first.order, norms)) {
    const slots = filled(phrase, said)
    if (slots !== null) return { ...said, of, slots, sure: first.score }
  }
  return null
}

function isSure([first, next]: readonly Likely[]): boolean {
  const ahead = (first?.score ?? 0) - (next?.score ?? 0)
  return (
    first !== undefined &&
    ((first.score >= LEAST && ahead >= AHEAD) || (first.score >= ALONE.least && ahead >= ALONE.ahead))
  )
}

function isSureOfService(likely: readonly Likely[], first: Likely): boolean {
  const isOfIt = ({ label }: Likely): boolean => label === first.label || isSibling(label, first.label)
  const share = likely.filter(isOfIt).reduce((sum, { score }) => sum + score, 0)
  const next = likely.find((one) => !isOfIt(one))?.score ?? 0
  const { one, all, ahead } = LEAST_OF_ALL
  return first.score >= one && share >= all && share - next >= ahead
}

/** Whether `label` is another read of the same service. */
function isSibling(label: string, of: string): boolean {
  const [service = '', action] = label.split('.')
  return action !== undefined && of.startsWith(`${service}.`) && !WRITES.has(label)
}

/** The sentence that scores highest for `label`; the whole message if none does by itself. */
function sentenceOf(text: string, label: string, moment: Moment): string {
  const core = coreAsTyped(text)
  const ends = [...core.matchAll(SENTENCES)].map(({ index, 0: mark }) => index + mark.length)
  const parts = [0, ...ends].map((from, at) => core.slice(from, ends[at] ?? core.length).trim())
  if (parts.length < 2) return core
  const likely = parts
    .map((part) => ({ part, first: likelyOf(part, moment)[0] }))
    .filter(({ first }) => first?.label === label && first.score >= LEAST_OF_PART)
    .sort((a, b) => (b.first?.score ?? 0) - (a.first?.score ?? 0))
  return likely[0]?.part ?? core
}

interface Candidate {
  readonly phrase: Phrase
  readonly of: Class
}

/**
 * Candidate phrases: first those with shaped slots, which match more narrowly; then those of the classes, in the order of their
 * scores.
 */
function phrasesOf(
  label: string,
  order: readonly string[],
  norms: ReadonlySet<string>,
): readonly Candidate[] {
  const shaped = TOOL_PHRASES.flatMap(({ asks, shapes }) =>
    shapes === undefined
      ? []
      : asks
          .filter(({ plan }) => plan.at(-1)?.['tool'] === label && isPlain(plan))
          // The table has no words for the value that such a plan sets.
          .filter(({ plan }) => !setsValue(plan))
          .filter((phrase) => !CLASSES.some((one) => one.phrase === phrase))
          .map((phrase) => ({ phrase, of: { id: label, phrase, writes: false, sentences: [] } })),
  )
  const classes = order.flatMap((id) => {
    const of = classOf(id)
    return of?.phrase === null || of === null ? [] : [{ phrase: of.phrase, of }]
  })
  return [
    ...shaped,
    ...classes.filter((one) => isNamed(one.of.id, norms) && isSaidSo(one, order, norms)),
  ].filter(
    ({ phrase: { shown, back, among, picks, later, addressed, yields, takes } }) =>
      [shown, back, picks, later, addressed, yields].every((one) => one === undefined) &&
      (among === undefined || takes?.who !== undefined),
  )
}

/** Whether the message has the words that the class requires, such as the name of a service. */
function isNamed(id: string, norms: ReadonlySet<string>): boolean {
  const needs = tableNow().classes.find((one) => one.id === id)?.needs ?? []
  return needs.every((words) => words.some((word) => norms.has(word)))
}

/** A word that states a value must be longer than this, in letters; "hab" and "bin" state none. */
const LEAST_SAID = 3

/**
 * Whether a value that the phrase sets, such as "unread", is stated by a word that no other phrase of the action has. True if
 * it sets none.
 */
function isSaidSo({ phrase, of }: Candidate, order: readonly string[], norms: ReadonlySet<string>): boolean {
  if (!setsValue(phrase.plan)) return true
  const { classes } = tableNow()
  const own = classes.find(({ id }) => id === of.id)?.words ?? []
  const others = classes.filter(({ id }) => order.includes(id) && id !== of.id)
  return own.some(
    (word) =>
      norms.has(word) &&
      word.length > LEAST_SAID &&
      !FILLER.has(word) &&
      !others.some(({ has }) => has.has(word)),
  )
}

function setsValue(plan: Phrase['plan']): boolean {
  const args = plan.at(-1)?.['args'] as Readonly<Record<string, Json>> | undefined
  return Object.values(args ?? {}).some((value) => typeof value === 'string' && !value.includes('{'))
}

/** True if no step of the plan writes. */
function isPlain(plan: Phrase['plan']): boolean {
  return plan.every(({ tool }) => tool === undefined || !WRITES.has(String(tool)))
}

/** The slots that the phrase needs; null if one of them is not found. */
function filled(phrase: Phrase, { text, dates }: Text): Readonly<Record<string, string>> | null {
  const shapes = shapesOf(phrase)
  const slots: Record<string, string> = {}
  for (const name of neededSlots(phrase)) {
    const shape = shapes?.[name]?.learned === undefined ? shapes?.[name]?.pattern : undefined
    const open = OPEN.has(name) ? openOf(phrase, text) : ''
    const found = shape === undefined || open !== '' ? open : shapedIn(text, shape)
    if (found === '') return null
    slots[name] = found
  }
  if (phrase.intent === 'memory_search') slots['topic'] = namedWords(text).join(' ')
  // A question about the mail of one person needs that person: without a name it would show the newest of all mails.
  if (phrase.among !== undefined && phrase.takes?.who !== undefined && !isOfPlace(text)) {
    const who = senderIn(text)
    if (who === null) return null
    slots['who'] = who
  }
  // Without a time the question is about one thing, found by its words.
  if (phrase.takes?.topic !== undefined)
    slots['what'] = dates.span === null ? namedWords(dates.rest).join(' ') : ''
  return Object.values(slots).includes('') ? null : slots
}

/** Whether the message points at a position ("the second one") or the newest, and names no sender. */
function isOfPlace(text: string): boolean {
  return /(?<!\p{L})(?:first|second|third|fourth|last|latest|newest|top|number|it|this|one|erste\p{L}*|zweite\p{L}*|dritte\p{L}*|letzte\p{L}*|neu[e]?ste\p{L}*|nummer)(?!\p{L})/iu.test(
    text,
  )
    ? senderIn(text) === null
    : false
}

function shapesOf(phrase: Phrase): Phrases['shapes'] {
  return TOOL_PHRASES.find(({ asks }) => asks.includes(phrase))?.shapes
}

/** Starts like a question and names nothing. */
const QUESTION =
  /^(?:what|when|where|which|who|how|why|did|do|does|is|are|was|wann|wo|welche\p{L}*|wer|wie|hat|hab|habe|ist|sind)(?!\p{L})/iu

function shapedIn(text: string, pattern: string): string {
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu').exec(text)?.[0] ?? ''
  return QUESTION.test(found) ? '' : found
}

/**
 * Text of an open slot. A question that is sent outside keeps its wording (empty if it names too little); the owner's own
 * things are found by the naming words.
 */
function openOf({ plan }: Phrase, text: string): string {
  const named = namedWords(text)
  if (!LOOKED_UP.has(String(plan.at(-1)?.['tool']))) return named.join(' ')
  return named.length < LEAST_NAMED ? '' : text.replace(/(?<![\s?.!])[\s?.!]+$/, '')
}
