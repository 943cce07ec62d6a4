/**
 * Scores a message with the small trained table: actions, intents, and requests that no package serves. Must not read slots.
 * Called by the readers beside it, the reader of messages and the rules model.
 */
import type { Moment } from '../../dates/read.ts'
import { type Known, scoresOf, tableNow } from './table.ts'
import { marksOf, tokensOf } from './tokens.ts'

export interface Likely {
  /** An action, an intent, `cannot:…`, `nothing`, or `else:…` for what code reads without the table. */
  readonly label: string
  /** From 0 to 1. */
  readonly score: number
  /** Ids of the label's classes, by descending score. */
  readonly order: readonly string[]
}

/** Cache of scores by text: one message asks for the same texts repeatedly. Lives as long as the message's moment. */
const kept = new WeakMap<Moment, Map<string, readonly Likely[]>>()
const MOST_KEPT = 100

/** Maximum length of a text, in UTF-16 code units; requests are short. */
const LONGEST = 400

/** Labels by descending score; empty for a text above the limit. */
export function likelyOf(text: string, moment: Moment): readonly Likely[] {
  if (text.length > LONGEST) return []
  const known = kept.get(moment) ?? new Map<string, readonly Likely[]>()
  kept.set(moment, known)
  const found = known.get(text) ?? scored(text, moment, tableNow())
  if (known.size >= MOST_KEPT) known.clear()
  known.set(text, found)
  return found
}

/** The same with a given table, uncached and without a length limit. */
export function scored(text: string, moment: Moment, table: Known): readonly Likely[] {
  const found = new Map<string, { score: number; order: string[] }>()
  for (const { at, score } of scoresOf(table, marksOf({ ...tokensOf(text, table.words, moment), text }))) {
    const label = table.labels[at] ?? ''
    const order = [...(found.get(label)?.order ?? []), table.classes[at]?.id ?? '']
    found.set(label, { score, order })
  }
  return [...found].map(([label, one]) => ({ label, ...one }))
}

/** Whether `label` has the highest score of all, and at least `least`. */
export function isLikely(text: string, label: string, least: number, moment: Moment): boolean {
  const [first] = likelyOf(text, moment)
  return first?.label === label && first.score >= least
}
