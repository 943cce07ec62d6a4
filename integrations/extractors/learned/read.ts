/**
 * Reads a message as requests, in order, by the trained table: one, several, or none with the nearest thing that can be done. Every word
 * must be accounted for. Must not guess or plan. Called by message.ts and the rules model.
 */
import type { Moment } from '../../dates/read.ts'
import { FILLER, saysSecond } from '../message-coverage.ts'
import { coreOf, isCourtesy } from '../message-intent.ts'
import { CANNOT, type Class, classOf, NOTHING } from './classes.ts'
import { IMPLIED } from './own-phrases.ts'
import { CORRECTS, couldBeRemark, isAside, REMARK, UNMARKED } from './remark.ts'
import { ARTICLES, fill, NEVER, REPEATS, type Text } from './slots.ts'
import { type ClassTable, type Known, scoresOf, tableNow } from './table.ts'
import { marksOf, type Reading, tokensOf } from './tokens.ts'

export interface Part extends Text {
  readonly of: Class
  readonly slots: Readonly<Record<string, string>>
  /** By how much the best class scores more than the next. */
  readonly sure: number
}

export type Understood =
  | { readonly is: 'requests'; readonly parts: readonly Part[] }
  /** `nearest`: ids of the classes that fit best, best first. `lacking`: what is asked for and cannot be done. `left`: words not understood. */
  | {
      readonly is: 'not'
      readonly nearest: readonly string[]
      /** The score of the first of them; 0 if there is none. */
      readonly near: number
      readonly lacking: string | null
      readonly left: readonly string[]
    }

/** Requests are short: of a longer message nothing is read. */
const LONGEST = 400
const MOST_PARTS = 4
const MOST_CUTS = 12
/** Of what names no repetition, nothing is periodic. */
const AGAIN = `${CANNOT}do something again and again`
/** Classes that are tried, and how much less than the best one may score. */
const TRIED = 4
const LESS = { read: 0.4, write: 0 } as const
/** What a pattern says already need not be as sure. What a class must score, and by how much more than the next: a read may be less sure than a write. */
const LEAST_IMPLIED = { read: 0.4, write: 0.35 } as const
const LEAST = { read: 0.33, write: 0.42 } as const
/** What a single word must be likely of. */
const ALONE = 0.95
const AHEAD = { read: 0, write: 0.1, nothing: 0.05, lacking: 0.05 } as const
/** What begins word for word as declared is surer than its words alone. */
const BEGUN = 0.15
export const CUTS =
  /\s*(?:(?<!\d)\.|[!?;\n])+\s+|\s*,\s*(?:(?:and|then|also|und|dann)\s+)*|\s+(?:and|then|plus|also|und|dann)\s+(?:(?:then|also|dann|auch)\s+)?/giu

export function understand(text: string, moment: Moment, table: Known = tableNow()): Understood {
  if (text.length > LONGEST || TOLD.test(text)) return NOT
  return several(text.replace(INDIRECT, ''), moment, table, MOST_PARTS)
}

/** Said to be known, and not to be done. */
const TOLD = /^(?:fyi|mind that you|for (?:the|your|my|future) (?:record|information|info|reference))\b/i

/** "Könnten Sie mir sagen, welche …": the question is what follows. */
const INDIRECT =
  /^(?:\p{L}+ ){0,2}?(?:\p{L}+,? )?(?:würd|könn|könnt|kann)(?:est|st|ten|en|te)? ?(?:du|sie) (?:mir|uns)(?: bitte| mal| kurz)* (?:mitteilen|sagen|verraten),? (?=(?:was|welche\p{L}?|wann|wo|wer|wie|ob)(?!\p{L}))/iu

const NOT: Understood = { is: 'not', nearest: [], near: 0, lacking: null, left: [] }

/**
 * The request that a message begins or ends with, where the rest is not understood and nothing in it is a condition, a negation or a
 * repetition; null if there is none, or if it would change anything.
 */
export function firstRead(text: string, moment: Moment, table: Known = tableNow()): Part | null {
  if (text.length > LONGEST) return null
  if (tokensOf(text, table.words, moment).tokens.some(({ norm }) => NEVER.has(norm) || norm === 'if'))
    return null
  for (const cut of cutsOf(text)) {
    const left = one(text.slice(0, cut.index), moment, table)
    const [part] = left.is === 'requests' ? left.parts : []
    // "The cash and carry" is one thing.
    const [next] = tokensOf(text.slice(cut.index + cut[0].length), table.words, moment).tokens
    if (next?.kind !== 'word' && /^\s+(?:and|und|then|plus)/i.test(cut[0])) continue
    if (part !== undefined) return part.of.writes || !isAsked(part) ? null : part
  }
  const [end] = [...text.matchAll(ENDED)].slice(-1)
  if (end === undefined) return null
  const last = one(text.slice(end.index + end[0].length), moment, table)
  const [part] = last.is === 'requests' ? last.parts : []
  return part === undefined || part.of.writes || !isAsked(part) || isTime(part) ? null : part
}

/** The end of a sentence before another. */
const ENDED = /(?<=\p{L}[)"']?)[.!?]+\s+(?=\S)/gu

/** Readings of pieces of one message, which are tried in many ways; they live as long as its moment. */
const pieces = new WeakMap<Moment, Map<string, Understood>>()
const MOST_KEPT = 500

function once(key: string, moment: Moment, read: () => Understood): Understood {
  const kept = pieces.get(moment) ?? new Map<string, Understood>()
  pieces.set(moment, kept)
  const found = kept.get(key) ?? read()
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(key, found)
  return found
}

/** Where a message may be cut; none where there are more such places than a few requests have. */
function cutsOf(text: string): readonly RegExpExecArray[] {
  const cuts = [...text.matchAll(CUTS)]
  return cuts.length > MOST_CUTS ? [] : cuts
}

function several(text: string, moment: Moment, table: Known, most: number): Understood {
  return once(`${most}: ${text}`, moment, () => severalOnce(text, moment, table, most))
}

function severalOnce(text: string, moment: Moment, table: Known, most: number): Understood {
  const whole = one(text, moment, table)
  const split = most > 1 ? splitOf(text, moment, table, most) : null
  // A text to the end would swallow the second request.
  const isOpen = whole.is === 'requests' && whole.parts.some(({ slots }) => slots['topic'] ?? slots['what'])
  const isSeveral = split?.is === 'requests' && new Set(split.parts.map(({ of }) => of)).size > 1
  const isOne =
    !isSeveral &&
    split?.is === 'requests' &&
    (split.parts.slice(1).every(({ slots }) => Object.keys(slots).length === 0) ||
      (whole.is === 'requests' && isOfWhole(whole.parts, split.parts)))
  if (whole.is === 'requests' && !isSeveral && (!isOpen || split === null || isOne)) return whole
  return split ?? (whole.is === 'requests' ? whole : besideRemark(text, moment, table)) ?? whole
}

/** Pieces of one request: of its kind, and without a time that only the whole names. */
function isOfWhole([whole]: readonly Part[], parts: readonly Part[]): boolean {
  const isTimed = ({ tokens }: Part): boolean => tokens.some(({ kind }) => kind === 'when')
  return (
    whole !== undefined && isTimed(whole) && parts.every(({ of }) => of === whole.of) && !parts.every(isTimed)
  )
}

/** Cuts of a message at which a remark may stand. */
const REMARK_CUTS = 4
/** The request before or behind such a remark; null if there is none. */
function besideRemark(text: string, moment: Moment, table: Known): Understood | null {
  for (const cut of cutsOf(text).slice(0, REMARK_CUTS)) {
    const first = text.slice(0, cut.index) + (cut[0].includes('?') ? '?' : '')
    const rest = text.slice(cut.index + cut[0].length)
    const ways = [
      [first, rest],
      [rest, first],
    ] as const
    for (const [request, remark] of ways) {
      const found = isAside(remark) ? oneOrTwo(request, moment, table) : null
      if (found?.is === 'requests' && isBeside(found.parts, remark, moment, table)) return found
    }
  }
  for (const cut of text.matchAll(UNMARKED)) {
    const rest = text.slice(cut.index + cut[0].length)
    if (!isRemark(rest, moment, table)) continue
    const found = one(text.slice(0, cut.index), moment, table)
    const isRead = found.is === 'requests' && found.parts.every((part) => !part.of.writes && isAsked(part))
    if (isRead && !found.parts.some((part) => isTime(part) || part.slots['topic'] !== undefined)) return found
  }
  return null
}

/** Without a remark of its own, so that a long message takes no longer than its cuts. */
function oneOrTwo(text: string, moment: Moment, table: Known): Understood | null {
  const whole = one(text, moment, table)
  return whole.is === 'requests' ? whole : splitOf(text, moment, table, 1)
}

/** A remark changes nothing of a read. Beside a change it must look like one, and hold no "not"; a text to the end is all that is said. */
function isBeside(parts: readonly Part[], remark: string, moment: Moment, table: Known): boolean {
  if (parts.some((part) => isTime(part) || !isAsked(part) || part.slots['topic'] !== undefined)) return false
  const writes = parts.some(({ of }) => of.writes)
  if (CORRECTS.test(remark)) return false
  // A time beside a change may be its new one.
  if (writes && tokensOf(remark, table.words, moment).tokens.some(({ kind }) => kind === 'when')) return false
  const isPlain = writes ? REMARK.test(remark) && !saysSecond(`. ${remark}`) : isAside(remark)
  if (!isPlain) return false
  const isNegated = writes && tokensOf(remark, table.words, moment).tokens.some(({ norm }) => NEVER.has(norm))
  return !isNegated && one(remark, moment, table).is !== 'requests'
}

function isRemark(text: string, moment: Moment, table: Known): boolean {
  return REMARK.test(text) && couldBeRemark(text) && one(text, moment, table).is !== 'requests'
}

/** At the first cut behind which all parts are requests, or one is known as what cannot be done; null if there is none. */
function splitOf(text: string, moment: Moment, table: Known, most: number): Understood | null {
  for (const cut of cutsOf(text)) {
    const first = text.slice(0, cut.index)
    const rest = text.slice(cut.index + cut[0].length)
    if (first.trim() === '' || rest.trim() === '') continue
    const left = one(first + (cut[0].includes('?') ? '?' : ''), moment, table)
    if (left.is !== 'requests' ? left.lacking === null : left.parts.every(isTime)) continue
    const right = several(rest, moment, table, most - 1)
    if (right.is !== 'requests') {
      if (right.lacking !== null) return right
      continue
    }
    if (right.parts.some(isTime)) continue
    if (left.is !== 'requests') return left
    const parts = [...left.parts, ...right.parts.map((part) => sameAs(left.parts.at(-1), part))]
      .filter(isAsked)
      .filter((part, at, all) => !isOfSame(all[at - 1], part))
    return { is: 'requests', parts: parts.length === 0 ? right.parts : parts }
  }
  return null
}

/** "…, please add it to my calendar": a request of the same kind that names nothing is the one before it. */
function isOfSame(before: Part | undefined, { of, slots, tokens }: Part): boolean {
  const isBare = Object.keys(slots).length === 0 && !tokens.some(({ kind }) => kind !== 'word')
  return before !== undefined && before.of === of && isBare
}

/** "read https://… and summarise it": a read of "it" alone is one of what was just named. */
function sameAs(before: Part | undefined, part: Part): Part {
  const isOfIt = /^\W*(?:\w+ ){1,2}(?:it|that|them|this)(?: up)?\W*$/i.test(part.text)
  const isFree = isOfIt && Object.keys(part.slots).length === 0
  return before === undefined || !isFree || before.of.writes || part.of.writes
    ? part
    : { ...part, of: before.of }
}

/** "on Friday and Saturday, …": a time alone is a part of another request. */
function isTime({ tokens }: Part): boolean {
  return tokens.every(({ kind }) => kind === 'when')
}

/** "thanks, check my mail": courtesy beside a request. */
function isAsked({ of }: Part): boolean {
  return (
    of.phrase !== null &&
    !(of.phrase.plan.length === 0 && of.phrase.intent !== undefined && !MEMORY.test(of.id))
  )
}

const MEMORY = /^memory/

function one(typed: string, moment: Moment, table: Known): Understood {
  return once(`1: ${typed}`, moment, () => oneOnce(typed, moment, table))
}

function oneOnce(typed: string, moment: Moment, table: Known): Understood {
  const { text } = coreOf(typed)
  // "Good morning" is no time that is asked about.
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
  // A time alone answers a question; it asks nothing.
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
  const scores = named.filter(({ at }) => isRival(table.classes[at], most, reading.tokens))
  const [best] = scores
  // Another class of the same action is no rival.
  const next = scores.find(({ at }) => table.labels[at] !== table.labels[best?.at ?? 0])
  const sure = (best?.score ?? 0) - (next?.score ?? 0)
  let left: readonly string[] | null = null
  for (const { at, score } of scores.slice(0, TRIED)) {
    const row = table.classes[at]
    const of = row === undefined ? null : classOf(row.id)
    if (row === undefined || of === null || best === undefined) continue
    const kind = of.phrase !== null && of.writes ? 'write' : 'read'
    if (best.score - score > LESS[kind]) continue
    // What nothing in the message asks for is not done: "any rain on Saturday" cancels nothing.
    const isOpen = of.writes
      ? !of.phrase?.takes?.when?.exact
      : (of.phrase?.plan.length ?? 0) > 0 && !(isBare(reading.tokens) && OF_TIMES.test(of.id))
    const isTalk = of.phrase?.intent === 'chat'
    // A time alone is asked of the calendar, and of nothing else.
    const takes = of.phrase?.takes?.when
    const isTimed = takes !== undefined && (of.writes ? takes.exact !== undefined : OF_TIMES.test(of.id))
    if ((isOpen || isTalk) && !isTimed && !isAskedFor(reading.tokens, row)) continue
    // Thanks before a question are not what it is about.
    if (isTalk && ASKS_BESIDE.test(text)) continue
    const isBegun = of.phrase?.intent !== undefined && begins(reading.tokens, row)
    const ahead = kind === 'write' && isNothing(next, table) ? AHEAD.nothing : AHEAD[kind]
    const isAlone = reading.tokens.length < 2 && (of.phrase?.plan.length ?? 0) > 0 && score < ALONE
    const isSure = !isAlone && (least === LEAST_IMPLIED || sure >= ahead)
    if (!isBegun && (score < least[kind] || !isSure)) continue
    if (score < BEGUN) continue
    if (of.phrase === null) {
      // That something cannot be done is said where little else is as likely.
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
  // All but the repetition was understood.
  const repeats = left !== null && left.length > 0 && left.every((word) => REPEATS.has(word))
  const lacking = repeats ? AGAIN.slice(CANNOT.length) : null
  const unknown = reading.tokens.filter(({ kind }) => kind === 'unknown').map(({ norm }) => norm)
  return { is: 'not', ...nearOf(scores, table), lacking, left: left ?? unknown }
}

const OF_TIMES = /^calendar/
/** A sentence before a question of several words. */
const ASKS_BESIDE = /[.!]\s+\S+(?:\s+\S+){2,}\?/u

/** What looks like no request at all, which a write need not be as far ahead of. */
function isNothing(next: ReturnType<typeof scoresOf>[number] | undefined, { classes }: Known): boolean {
  return next !== undefined && classes[next.at]?.id === NOTHING
}

/** Nothing but times and filler. */
function isBare(tokens: Reading['tokens']): boolean {
  return tokens.every(({ kind, norm }) => kind === 'when' || FILLER.has(norm))
}

/** Holds a word of its sentences that means something. */
function isAskedFor(tokens: Reading['tokens'], { words }: ClassTable): boolean {
  const isTold = tokens.some(({ norm }) => TELLS.has(norm))
  return tokens.some(
    ({ norm }) =>
      words.includes(norm) && !FILLER.has(norm) && !ARTICLES.has(norm) && (isTold || !PARTICLES.has(norm)),
  )
}

/** A change for which there is no word of its own, not even "off", is no rival of another change. */
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

/** They go with many verbs: "schick … ab" cancels nothing. */
const TELLS: ReadonlySet<string> = new Set(['sag', 'sage', 'sagen'])
const PARTICLES: ReadonlySet<string> = new Set('ab an aus ein raus rein vor zu off up out in down'.split(' '))

/** With the words before a text to the end, and at least two of them. */
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

/** Below it, nothing is near. */
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
