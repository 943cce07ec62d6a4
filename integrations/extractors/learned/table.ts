/**
 * The trained table: a weight for each feature and class, and the words and neighbours of the slots of each class. Read when it is first
 * needed. Must not change. Called by read.ts.
 */

import { BUCKETS, featuresOf } from './features.ts'
import { type PackedWeights, unpackWeights, unpackWords } from './packed.ts'
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

/** As it is kept: words by their numbers in the dictionary, separated by spaces. */
export interface Table {
  readonly words: string
  readonly classes: readonly PackedClass[]
  readonly weights: PackedWeights
}

export interface PackedClass {
  readonly id: string
  readonly timed?: true
  readonly words?: string
  readonly needs?: readonly string[]
  /** Two words each. */
  readonly beside?: Readonly<Record<string, string>>
  readonly heads?: readonly string[]
}

export interface Known {
  readonly classes: readonly (ClassTable & { readonly has: ReadonlySet<string> })[]
  readonly words: ReadonlySet<string>
  /** By class. */
  readonly labels: readonly string[]
  /** By bucket, the weights of its classes that are not 0. */
  readonly weights: readonly Weights[]
  /** By how much its scores are drawn apart: the mean of several rounds is less sure than it is right. */
  readonly sharp: number
}

/** Class and weight by turns. */
type Weights = readonly number[]

let known: Known | null = null

export function tableNow(): Known {
  known ??= knownOf(TABLE as Table)
  return known
}

/** The same table with other weights. */
export function withWeights(weights: PackedWeights, sharp: number): Known {
  return { ...knownOf({ ...(TABLE as Table), weights }), sharp }
}

export function knownOf({ words, classes, weights }: Table): Known {
  const dictionary = words.split(' ')
  const wordsOf = (packed: string): readonly string[] => unpackWords(dictionary, packed)
  const unpacked = classes.map(({ id, timed, words: own = '', needs = [], beside = {}, heads = [] }) => ({
    ...{
      id,
      timed: timed === true,
      words: wordsOf(own),
      has: new Set(wordsOf(own)),
      needs: needs.map(wordsOf),
    },
    beside: Object.fromEntries(
      Object.entries(beside).map(([slot, pairs]) => [slot, pairsOf(wordsOf(pairs))]),
    ),
    heads: heads.map((head) => wordsOf(head).join(' ')),
  }))
  return {
    classes: unpacked,
    words: new Set(unpacked.flatMap((one) => one.words)),
    labels: classes.map(({ id }) => labelOf(id)),
    sharp: 1,
    weights: byBucket(unpackWeights(weights, classes.length * BUCKETS)),
  }
}

/** Most weights are 0: a message's features have a few classes each, and only these are looked at. */
function byBucket(weights: Int8Array): readonly Weights[] {
  const found: number[][] = Array.from({ length: BUCKETS }, () => [])
  weights.forEach((weight, at) => {
    if (weight !== 0) found[at % BUCKETS]?.push(Math.floor(at / BUCKETS), weight)
  })
  return found
}

function pairsOf(words: readonly string[]): readonly string[] {
  return Array.from({ length: words.length / 2 }, (_, at) => `${words[2 * at]} ${words[2 * at + 1]}`)
}

/** What one of a weight's level is worth. */
export const STEP = 1

export interface Score {
  readonly at: number
  /** From 0 to 1: how likely the message is of this class, or of another of the same action or intent. */
  readonly score: number
}

/** Best first; classes of one action beside each other, the likelier first. */
export function scoresOf(
  { classes, weights, labels, sharp }: Known,
  marks: readonly string[],
): readonly Score[] {
  const features = featuresOf(marks)
  const scale = (sharp * STEP) / Math.sqrt(Math.max(1, features.length))
  const sums = new Array<number>(classes.length).fill(0)
  for (const feature of features) {
    const own = weights[feature] ?? []
    for (let at = 0; at < own.length; at += 2) {
      const of = own[at] ?? 0
      sums[of] = (sums[of] ?? 0) + (own[at + 1] ?? 0)
    }
  }
  const most = sums.reduce((max, sum) => Math.max(max, sum), Number.NEGATIVE_INFINITY)
  const parts = sums.map((sum) => Math.exp((sum - most) * scale))
  const all = parts.reduce((total, part) => total + part, 0)
  const byLabel = new Map<string, number>()
  parts.forEach((part, at) => {
    const label = labels[at] ?? ''
    byLabel.set(label, (byLabel.get(label) ?? 0) + part / all)
  })
  return classes
    .map((_, at) => ({ at, score: byLabel.get(labels[at] ?? '') ?? 0, own: parts[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || b.own - a.own || a.at - b.at)
    .map(({ at, score }) => ({ at, score }))
}

/** What a class is of: without the number that tells it from others of its action. */
export function labelOf(id: string): string {
  return id.replace(/#\d+$/, '')
}
