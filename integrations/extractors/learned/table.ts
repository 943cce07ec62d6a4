/**
 * The trained table: a weight for each feature and class, and the words and neighbours of the slots of each class. Read when it is first
 * needed. Must not change. Called by read.ts.
 */

import { BUCKETS, featuresOf } from './features.ts'
import TABLE from './table.json' with { type: 'json' }

export interface ClassTable {
  readonly id: string
  /** A message without a time is none of these. */
  readonly timed: boolean
  readonly words: readonly string[]
  /** Of each of these lists every sentence has a word, such as the name of a service: a message without one is none of these. */
  readonly needs: readonly (readonly string[])[]
  /** By slot: the words before and after it together, articles left out; `^` and `$` are the ends. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** Beginnings of the sentences that end in `{topic}`. */
  readonly heads: readonly string[]
}

export interface Table {
  readonly classes: readonly ClassTable[]
  /** What half a byte of `weights` stands for: sixteen numbers from -127 to 127. */
  readonly levels: readonly number[]
  /** Base64 of half a byte per bucket and class, the upper half first. */
  readonly weights: string
}

export interface Known {
  readonly classes: readonly (ClassTable & { readonly has: ReadonlySet<string> })[]
  readonly words: ReadonlySet<string>
  readonly weights: Int8Array
}

let known: Known | null = null

export function tableNow(): Known {
  known ??= knownOf(TABLE as Table)
  return known
}

export function knownOf({ classes, levels, weights }: Table): Known {
  const bytes = atob(weights)
  const halves = new Int8Array(bytes.length * 2)
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at)
    halves[2 * at] = levels[byte >> 4] ?? 0
    halves[2 * at + 1] = levels[byte & 15] ?? 0
  }
  return {
    classes: classes.map((one) => ({ ...one, has: new Set(one.words) })),
    words: new Set(classes.flatMap(({ words }) => words)),
    weights: halves,
  }
}

export interface Score {
  readonly at: number
  /** Mean weight of the message's features. */
  readonly score: number
}

/** Best first. */
export function scoresOf({ classes, weights }: Known, marks: readonly string[]): readonly Score[] {
  const features = featuresOf(marks)
  return classes
    .map((_, at) => {
      const sum = features.reduce((total, feature) => total + (weights[at * BUCKETS + feature] ?? 0), 0)
      return { at, score: sum / Math.max(1, features.length) }
    })
    .sort((a, b) => b.score - a.score || a.at - b.at)
}
