/**
 * Scores of a message by the trained table: actions, intents, and requests that no package handles. Must not
 * read slots. Called by loose.ts, message.ts and the rules planner.
 */
import type { Moment } from '../../dates/read.ts'
import { type Known, scoresOf, tableNow } from './table.ts'
import { marksOf, tokensOf } from './tokens.ts'

export interface Likely {
  /** An action, an intent, `cannot:…`, `nothing`, or `else:…` for what code reads. */
  readonly label: string
  /** From 0 to 1. */
  readonly score: number
  /** Its classes, the likeliest first. */
  readonly order: readonly string[]
}

/** Texts of one message, which are asked of more than once; they live as long as its moment. */
const kept = new WeakMap<Moment, Map<string, readonly Likely[]>>()
const MOST_KEPT = 100

/** UTF-16 units: requests are short. */
const LONGEST = 400

/** The likeliest first; none of a text that is longer than requests are. */
export function likelyOf(text: string, moment: Moment): readonly Likely[] {
  if (text.length > LONGEST) return []
  const known = kept.get(moment) ?? new Map<string, readonly Likely[]>()
  kept.set(moment, known)
  const found = known.get(text) ?? scored(text, moment, tableNow())
  if (known.size >= MOST_KEPT) known.clear()
  known.set(text, found)
  return found
}

/** By a table. */
export function scored(text: string, moment: Moment, table: Known): readonly Likely[] {
  const found = new Map<string, { score: number; order: string[] }>()
  for (const { at, score } of scoresOf(table, marksOf({ ...tokensOf(text, table.words, moment), text }))) {
    const label = table.labels[at] ?? ''
    const order = [...(found.get(label)?.order ?? []), table.classes[at]?.id ?? '']
    found.set(label, { score, order })
  }
  return [...found].map(([label, one]) => ({ label, ...one }))
}

/** Whether it is of this more than of anything else, and how likely at least. */
export function isLikely(text: string, label: string, least: number, moment: Moment): boolean {
  const [first] = likelyOf(text, moment)
  return first?.label === label && first.score >= least
}
