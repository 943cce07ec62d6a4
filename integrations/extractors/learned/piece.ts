/**
 * Reads one piece of a message as one request with the trained table; every word must be accounted for. Must not split a
 * message. Called by read.ts; its types also by the loose readers and the reader of messages.
 */
import type { Moment } from '../../dates/read.ts'
import { FILLER } from '../message/message-coverage.ts'
import { coreOf, isCourtesy } from '../message/message-intent.ts'
import { CANNOT, type Class, classOf, LOOKED_UP, NOTHING } from './classes.ts'
import { IMPLIED } from './own-phrases.ts'
import { ARTICLES, fill, NEVER, REPEATS, type Text } from './slots.ts'
import { type ClassTable, type Known, scoresOf } from './table.ts'
import { marksOf, type Reading, tokensOf } from './tokens.ts'

export interface Part extends Text {
  readonly of: Class
  readonly slots: Readonly<Record<string, string>>
  /** Lead of the best class's score over the next action's. */
  readonly sure: number
}

export type Understood =
  | { readonly is: 'requests'; readonly parts: readonly Part[] }
  /**
   * `nearest`: ids of the classes that fit best, by descending score. `lacking`: the ability that is asked for and missing.
   * `left`: words that no class accounts for.
   */
  | {
      readonly is: 'not'
      readonly nearest: readonly string[]
      /** Score of the first of `nearest`; 0 if there is none. */
      readonly near: number
      readonly lacking: string | null
      readonly left: readonly string[]
    }

/** Class of repeated requests; excluded for a message without a word of repetition, negation or condition (`NEVER`). */
const AGAIN = `${CANNOT}do something again and again`
/** Maximum number of classes tried, and the maximum distance of their score from the best one. */
const TRIED = 4
const LESS = { read: 0.4, write: 0 } as const
/** Minimum score of a class; a read needs less than a write. Less is enough after `IMPLIED` has added the verb. */
const LEAST_IMPLIED = { read: 0.4, write: 0.35 } as const
const LEAST = { read: 0.28, write: 0.42 } as const
/**
 * Minimum score of a read of an outside service when no word of the message is typical of it: "what is going on in design
 * today" is no request for the weather.
 */
const LEAST_UNNAMED = 0.6
/** Minimum score of a message of one word. */
const ALONE = 0.95
const AHEAD = { read: 0, write: 0.1, nothing: 0.05, lacking: 0.05 } as const
/** Minimum score of any class, even of one whose declared sentence begins with the same words. */
const BEGUN = 0.15
export const NOT: Understood = { is: 'not', nearest: [], near: 0, lacking: null, left: [] }

/** Cache of readings by piece: a message is cut in many ways. Lives as long as the message's moment. */
const pieces = new WeakMap<Moment, Map<string, Understood>>()
const MOST_KEPT = 500

export function once(key: string, moment: Moment, read: () => Understood): Understood {
  const kept = pieces.get(moment) ?? new Map<string, Understood>()
  pieces.set(moment, kept)
  const found = kept.get(key) ?? read()
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(key, found)
  return found
}

export function one(typed: string, moment: Moment, table: Known): Understood {
  return once(`1: ${typed}`, moment, () => oneOnce(typed, moment, table))
}

function oneOnce(typed: string, moment: Moment, table: Known): Understood {
  const { text } = coreOf(typed)
  // "Good morning" names no time.
  if (isCourtesy(text)) return NOT
  const verb = IMPLIED.find(([pattern]) => pattern.test(text))?.[1]
  const implied = verb === undefined ? NOT : asTyped(`${verb} ${text}`, moment, table, LEAST_IMPLIED)
  return implied.is === 'requests' ? implied : asTyped(text, moment, table)
}

function asTyped(
  text: string,
  moment: Moment,
  table: Known,
  least: Readonly<Record<'read' | 'write', number>> = LEAST,
): Understood {
  const reading = tokensOf(text, table.words, moment)
  // A time alone is an answer, not a request.
  if (reading.tokens.every(({ kind }) => kind === 'when')) return NOT
  const said: Text = { ...reading, text }
  const norms = new Set(reading.tokens.map(({ norm }) => norm))
  const isAgain = reading.tokens.some(({ norm }) => NEVER.has(norm))
  const isNamed = (row: ClassTable | undefined): boolean =>
    row !== undefined &&
    (isAgain || row.id !== AGAIN) &&
    row.needs.every((words) => words.some((word) => norms.has(word)))
  const named = scoresOf(table, marksOf(said)).filter(({ at }) => isNamed(table.classes[at]))
  const most = table.classes[named[0]?.at ?? -1]
  const rivals = named.filter(({ at }) => isRival(table.classes[at], most, reading.tokens))
  const scores = reading.dates.span?.named === 'time' ? withoutTasks(rivals, table) : rivals
  const [best] = scores
  // Another class of the same action does not compete.
  const next = scores.find(({ at }) => table.labels[at] !== table.labels[best?.at ?? 0])
  const sure = (best?.score ?? 0) - (next?.score ?? 0)
  let left: readonly string[] | null = null
  for (const { at, score } of scores.slice(0, TRIED)) {
    const row = table.classes[at]
    const of = row === undefined ? null : classOf(row.id)
    if (row === undefined || of === null || best === undefined) continue
    const kind = of.phrase !== null && of.writes ? 'write' : 'read'
    if (best.score - score > LESS[kind]) continue
    // A class needs a word of its own in the message: "any rain on Saturday" must not cancel anything.
    const isOpen = of.writes
      ? !of.phrase?.takes?.when?.exact
      : (of.phrase?.plan.length ?? 0) > 0 && !(isBare(reading.tokens) && OF_TIMES.test(of.id))
    const isTalk = of.phrase?.intent === 'chat'
    // A time alone is a question to the calendar only.
    const takes = of.phrase?.takes?.when
    const isTimed = takes !== undefined && (of.writes ? takes.exact !== undefined : OF_TIMES.test(of.id))
    if ((isOpen || isTalk) && !isTimed && !isAskedFor(reading.tokens, row)) continue
    if (score < LEAST_UNNAMED && LOOKED_UP.has(table.labels[at] ?? '') && !hasOwn(reading.tokens, row, table))
      continue
    // Thanks before a question are not the request.
    if (isTalk && ASKS_BESIDE.test(text)) continue
    // A duration is no time at which to look something up.
    const isLength = reading.dates.span === null && reading.dates.minutes !== null
    if (isLength && !of.writes && isTimed && !of.phrase?.takes?.minutes) continue
    const isBegun = of.phrase?.intent !== undefined && begins(reading.tokens, row)
    const ahead = kind === 'write' && isNothing(next, table) ? AHEAD.nothing : AHEAD[kind]
    const isAlone = reading.tokens.length < 2 && (of.phrase?.plan.length ?? 0) > 0 && score < ALONE
    const isSure = !isAlone && (least === LEAST_IMPLIED || sure >= ahead)
    if (!isBegun && (score < least[kind] || !isSure)) continue
    if (score < BEGUN) continue
    if (of.phrase === null) {
      // A missing ability is reported only if nothing else scores close to it.
      if (of.id !== NOTHING && sure < AHEAD.lacking) continue
      if (left === null)
        return notA(
          of,
          scores,
          table,
          reading.tokens.map(({ norm }) => norm),
        )
      continue
    }
    const filled = fill(said, row, of)
    if ('slots' in filled) return { is: 'requests', parts: [{ ...said, of, slots: filled.slots, sure }] }
    left ??= filled.left
  }
  // Everything but the repetition was understood.
  const repeats = left !== null && left.length > 0 && left.every((word) => REPEATS.has(word))
  const lacking = repeats ? AGAIN.slice(CANNOT.length) : null
  const unknown = reading.tokens.filter(({ kind }) => kind === 'unknown').map(({ norm }) => norm)
  return { is: 'not', ...nearOf(scores, table), lacking, left: left ?? unknown }
}

const OF_TIMES = /^calendar/

/**
 * With a time of day, an appointment wins over a list entry: the entry's score is added to the appointment's. Only if the
 * appointment is the best class.
 */
function withoutTasks(scores: ReturnType<typeof scoresOf>, { labels }: Known): ReturnType<typeof scoresOf> {
  const task = scores.find(({ at }) => labels[at] === 'else:task.add')?.score ?? 0
  if (labels[scores[0]?.at ?? -1] !== 'calendar.create_event') return scores
  return scores
    .filter(({ at }) => labels[at] !== 'else:task.add')
    .map((one) => (labels[one.at] === 'calendar.create_event' ? { ...one, score: one.score + task } : one))
}

/** A sentence followed by a question of three words or more. */
const ASKS_BESIDE = /[.!]\s+\S+(?:\s+\S+){2,}\?/u

/** Whether the runner-up is "no request"; a write then needs a smaller lead. */
function isNothing(next: ReturnType<typeof scoresOf>[number] | undefined, { classes }: Known): boolean {
  return next !== undefined && classes[next.at]?.id === NOTHING
}

/** True if the message holds only times and filler. */
function isBare(tokens: Reading['tokens']): boolean {
  return tokens.every(({ kind, norm }) => kind === 'when' || FILLER.has(norm))
}

/** True if the message has a word of the class's sentences that carries meaning. */
function isAskedFor(tokens: Reading['tokens'], { words }: ClassTable): boolean {
  const isTold = tokens.some(({ norm }) => TELLS.has(norm))
  return tokens.some(
    ({ norm }, at) =>
      words.includes(norm) &&
      (!FILLER.has(norm) || isWanted(tokens, at)) &&
      !ARTICLES.has(norm) &&
      (isTold || !PARTICLES.has(norm)),
  )
}

/** Maximum number of actions that share a word which still counts as typical: "rain", but not "going". */
const MOST_OWN = 4

function hasOwn(tokens: Reading['tokens'], { words }: ClassTable, { classes, labels }: Known): boolean {
  const having = (norm: string): number =>
    new Set(classes.flatMap(({ has }, at) => (has.has(norm) ? [labels[at]] : []))).size
  return tokens.some(({ norm }) => words.includes(norm) && having(norm) <= MOST_OWN)
}

/** True for "will" in "was will Sarah": in German the main verb, not filler. */
function isWanted(tokens: Reading['tokens'], at: number): boolean {
  return at === 1 && tokens[1]?.norm === 'will' && tokens[0]?.norm === 'was'
}

/** False for a write without a word of its own in the message, not even "off": it does not compete with the best class. */
function isRival(
  row: ClassTable | undefined,
  most: ClassTable | undefined,
  tokens: Reading['tokens'],
): boolean {
  const of = row === undefined || row === most ? null : classOf(row.id)
  if (row === undefined || of?.writes !== true || of.phrase?.takes?.when?.exact !== undefined) return true
  return tokens.some(
    ({ norm }) =>
      row.words.includes(norm) &&
      most?.words.includes(norm) !== true &&
      !FILLER.has(norm) &&
      !ARTICLES.has(norm),
  )
}

/**
 * Verbs of telling. Only beside one of them does a verb particle count as a meaningful word: the "ab" of "schick … ab"
 * cancels nothing.
 */
const TELLS: ReadonlySet<string> = new Set(['sag', 'sage', 'sagen'])
const PARTICLES: ReadonlySet<string> = new Set('ab an aus ein raus rein vor zu off up out in down'.split(' '))

/** True if the message begins with the words of a declared sentence before its `{topic}`; at least two words. */
function begins(tokens: Reading['tokens'], { heads }: ClassTable): boolean {
  return heads.some((head) => {
    const words = head.split(' ')
    return words.length > 1 && words.every((word, at) => word === tokens[at]?.norm)
  })
}

function notA(
  of: Class,
  scores: ReturnType<typeof scoresOf>,
  table: Known,
  left: readonly string[],
): Understood {
  const lacking = of.id.startsWith(CANNOT) ? of.id.slice(CANNOT.length) : null
  return { is: 'not', ...nearOf(scores, table), lacking, left }
}

/** Minimum score of the classes in `nearest`. */
const NEAR = 0.25

function nearOf(
  scores: ReturnType<typeof scoresOf>,
  table: Known,
): { readonly nearest: readonly string[]; readonly near: number } {
  const idOf = ({ at }: (typeof scores)[number]): string => table.classes[at]?.id ?? ''
  if (scores[0] !== undefined && idOf(scores[0]) === NOTHING) return { nearest: [], near: 0 }
  const near = scores
    .filter(({ score }) => score >= NEAR)
    .filter((one) => idOf(one) !== NOTHING && !idOf(one).startsWith(CANNOT))
  return { nearest: near.map(idOf), near: near[0]?.score ?? 0 }
}
