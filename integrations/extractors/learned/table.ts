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
  /** The numbers, from -127 to 127, that a weight can be: the most frequent first. */
  readonly levels: readonly number[]
  /** Base64 of bits: for each bucket of each class as many ones as its level's index, and a zero. Most are the first two levels. */
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
  return {
    classes: classes.map((one) => ({ ...one, has: new Set(one.words) })),
    words: new Set(classes.flatMap(({ words }) => words)),
    weights: weightsOf(levels, atob(weights), classes.length * BUCKETS),
  }
}

function weightsOf(levels: readonly number[], bytes: string, count: number): Int8Array {
  const weights = new Int8Array(count)
  for (let at = 0, level = 0, bit = 0; at < count; bit++) {
    const isOne = ((bytes.charCodeAt(bit >> 3) << (bit & 7)) & 128) !== 0
    if (isOne && level < levels.length) level++
    else {
      weights[at++] = levels[level] ?? 0
      level = 0
    }
  }
  return weights
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
