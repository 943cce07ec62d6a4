/**
 * Reads a question that matches no declared sentence: the table gives the action, and its slots are found
 * anywhere in the message. Must not read a change, a condition, a repetition or a second request. Called by
 * message-learned.ts.
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

/** How likely it must be of one action, and how much likelier than of the next. */
const LEAST = 0.7
const AHEAD = 0.2
/** The same where nothing else is near. */
const ALONE = { least: 0.6, ahead: 0.45 } as const
/** The same of one action and its siblings, of which the likeliest is as good as the others. */
const LEAST_OF_ALL = { one: 0.5, all: 0.92, ahead: 0.85 } as const
/** What a part of the message must be likely of to be read by itself. */
const LEAST_OF_PART = 0.4
const SENTENCES = /(?<=[\p{L}\p{N})"']\s?)[.!?;\n]+\s+(?=\S)/gu
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'wenn', 'falls'])
/** Words that a question for others must name: "what do they need" is of what was said before. */
const LEAST_NAMED = 2
/** Slots that take what the message names. */
const OPEN: ReadonlySet<string> = new Set(['what', 'these', 'topic', 'question', 'words', 'matter'])

export function readLoosely(text: string, moment: Moment): Part | null {
  const likely = likelyOf(text, moment)
  const [first] = likely
  if (first === undefined || WRITES.has(first.label) || saysSecond(text) || asksChange(text)) return null
  if (!isSure(likely) && !isSureOfService(likely, first)) return null
  const typed = sentenceOf(text, first.label, moment)
  const table = tableNow()
  const reading = tokensOf(typed, table.words, moment)
  // A single word says too little.
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

/** Another read of the same service: either of them shows what is asked for. */
function isSibling(label: string, of: string): boolean {
  const [service = '', action] = label.split('.')
  return action !== undefined && of.startsWith(`${service}.`) && !WRITES.has(label)
}

/** The sentence that asks it; the whole message where none does by itself. */
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

/** Phrases whose slots have a shape first: they say more. Then in the order of the classes. */
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
          // Of a value that it sets, no table knows the words.
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

/** A message without the name of a service is none of that service's. */
function isNamed(id: string, norms: ReadonlySet<string>): boolean {
  const needs = tableNow().classes.find((one) => one.id === id)?.needs ?? []
  return needs.every((words) => words.some((word) => norms.has(word)))
}

/** Letters: "hab" and "bin" say nothing of a value. */
const LEAST_SAID = 3

/**
 * A value that the phrase sets, such as "unread", must be said by a word that others of the action do not
 * have.
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

/** Nothing is done with what another step found. */
function isPlain(plan: Phrase['plan']): boolean {
  return plan.every(({ tool }) => tool === undefined || !WRITES.has(String(tool)))
}

/** The slots that the phrase needs; null if one is not found. */
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
  // One mail that is read is somebody's: the newest of all is another.
  if (phrase.among !== undefined && phrase.takes?.who !== undefined && !isOfPlace(text)) {
    const who = senderIn(text)
    if (who === null) return null
    slots['who'] = who
  }
  // Without a time it is one thing that is asked for, by its words.
  if (phrase.takes?.topic !== undefined)
    slots['what'] = dates.span === null ? namedWords(dates.rest).join(' ') : ''
  return Object.values(slots).includes('') ? null : slots
}

/** One of those that were shown, or the newest. */
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

/** It asks, and names nothing. */
const QUESTION =
  /^(?:what|when|where|which|who|how|why|did|do|does|is|are|was|wann|wo|welche\p{L}*|wer|wie|hat|hab|habe|ist|sind)(?!\p{L})/iu

function shapedIn(text: string, pattern: string): string {
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu').exec(text)?.[0] ?? ''
  return QUESTION.test(found) ? '' : found
}

/**
 * What is looked up by those who know the world is asked as it was said; one's own things are found by their
 * words.
 */
function openOf({ plan }: Phrase, text: string): string {
  const named = namedWords(text)
  if (!LOOKED_UP.has(String(plan.at(-1)?.['tool']))) return named.join(' ')
  return named.length < LEAST_NAMED ? '' : text.replace(/(?<![\s?.!])[\s?.!]+$/, '')
}
