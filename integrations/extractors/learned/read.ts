/**
 * Reads a message as requests, in order, by the trained table: one, several, or none with the nearest thing that can be done. Every word
 * must be accounted for. Must not guess or plan. Called by message.ts and the rules model.
 */
import type { Moment } from '../../dates/read.ts'
import { coreOf } from '../message-intent.ts'
import { CANNOT, type Class, classOf, NOTHING } from './classes.ts'
import { IMPLIED } from './own-phrases.ts'
import { fill, NEVER, type Text } from './slots.ts'
import { type ClassTable, type Known, scoresOf, tableNow } from './table.ts'
import { marksOf, tokensOf } from './tokens.ts'

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
      readonly lacking: string | null
      readonly left: readonly string[]
    }

/** Requests are short: of a longer message nothing is read. */
const LONGEST = 400
const MOST_PARTS = 4
/** Classes that are tried, and how much less than the best one may score. */
const TRIED = 4
const LESS = { read: 5, write: 0 } as const
/** What a class must score, and by how much more than the next: a read may be less sure than a write. */
const LEAST = { read: 7, write: 9 } as const
const AHEAD = { read: 0, write: 2 } as const
const CUTS =
  /\s*[.!?;\n]+\s+|\s*,\s*(?:(?:and|then|also|und|dann)\s+)*|\s+(?:and|then|plus|also|und|dann)\s+(?:(?:then|also|dann|auch)\s+)?/giu

export function understand(text: string, moment: Moment, table: Known = tableNow()): Understood {
  if (text.length > LONGEST) return NOT
  return several(text, moment, table, MOST_PARTS)
}

const NOT: Understood = { is: 'not', nearest: [], lacking: null, left: [] }

/**
 * The request that a message begins with, where the rest is not understood and nothing in it is a condition, a negation or a repetition; null
 * if there is none, or if it would change anything.
 */
export function firstRead(text: string, moment: Moment, table: Known = tableNow()): Part | null {
  if (text.length > LONGEST) return null
  if (tokensOf(text, table.words, moment).tokens.some(({ norm }) => NEVER.has(norm) || norm === 'if'))
    return null
  for (const cut of text.matchAll(CUTS)) {
    const left = one(text.slice(0, cut.index), moment, table)
    const [part] = left.is === 'requests' ? left.parts : []
    if (part !== undefined) return part.of.writes || !isAsked(part) ? null : part
  }
  return null
}

function several(text: string, moment: Moment, table: Known, most: number): Understood {
  const whole = one(text, moment, table)
  const split = most > 1 ? splitOf(text, moment, table, most) : null
  // A text to the end would swallow the second request.
  const isOpen = whole.is === 'requests' && whole.parts.some(({ slots }) => slots['topic'] ?? slots['what'])
  const isSeveral = split?.is === 'requests' && new Set(split.parts.map(({ of }) => of)).size > 1
  if (whole.is === 'requests' && !(isOpen && split !== null) && !isSeveral) return whole
  return split ?? whole
}

/** At the first cut behind which all parts are requests, or one is known as what cannot be done; null if there is none. */
function splitOf(text: string, moment: Moment, table: Known, most: number): Understood | null {
  for (const cut of text.matchAll(CUTS)) {
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
    const parts = [...left.parts, ...right.parts.map((part) => sameAs(left.parts.at(-1), part))].filter(
      isAsked,
    )
    return { is: 'requests', parts: parts.length === 0 ? right.parts : parts }
  }
  return null
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
  const { text } = coreOf(typed)
  const found = asTyped(text, moment, table)
  const verb = IMPLIED.find(([pattern]) => pattern.test(text))?.[1]
  return found.is === 'requests' || found.lacking !== null || verb === undefined
    ? found
    : asTyped(`${verb} ${text}`, moment, table)
}

function asTyped(text: string, moment: Moment, table: Known): Understood {
  const reading = tokensOf(text, table.words, moment)
  // A time alone answers a question; it asks nothing.
  if (reading.tokens.every(({ kind }) => kind === 'when')) return NOT
  const said: Text = { ...reading, text }
  const norms = new Set(reading.tokens.map(({ norm }) => norm))
  const isNamed = (row: ClassTable | undefined): boolean =>
    row?.needs.every((words) => words.some((word) => norms.has(word))) ?? false
  const scores = scoresOf(table, marksOf(reading.tokens)).filter(({ at }) => isNamed(table.classes[at]))
  const [best, next] = scores
  const sure = (best?.score ?? 0) - (next?.score ?? 0)
  let left: readonly string[] | null = null
  for (const { at, score } of scores.slice(0, TRIED)) {
    const row = table.classes[at]
    const of = row === undefined ? null : classOf(row.id)
    if (row === undefined || of === null || best === undefined) continue
    const kind = isWrite(of) ? 'write' : 'read'
    if (score < LEAST[kind] || best.score - score > LESS[kind] || sure < AHEAD[kind]) continue
    if (of.phrase === null) {
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
  return { is: 'not', nearest: nearestOf(scores, table), lacking: null, left: left ?? [] }
}

function notA(
  of: Class,
  scores: ReturnType<typeof scoresOf>,
  table: Known,
  left: readonly string[],
): Understood {
  const lacking = of.id.startsWith(CANNOT) ? of.id.slice(CANNOT.length) : null
  return { is: 'not', nearest: nearestOf(scores, table), lacking, left }
}

function nearestOf(scores: ReturnType<typeof scoresOf>, table: Known): readonly string[] {
  const ids = scores.map(({ at }) => table.classes[at]?.id ?? '')
  return ids.filter((id) => id !== NOTHING && !id.startsWith(CANNOT))
}

/** What a wrong reading would change something by. */
function isWrite({ phrase, writes }: Class): boolean {
  return phrase !== null && writes
}
