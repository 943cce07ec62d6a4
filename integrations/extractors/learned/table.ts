/**
 * The trained table: a weight for each feature and class, and for each class its words and the neighbours of its slots. Decoded
 * on first use. Must not change. Called by the readers beside it, the rules model and training.
 */

import { BUCKETS, featuresOf } from './features.ts'
import { type PackedWeights, unpackWeights, unpackWords } from './packed.ts'
import TABLE from './table.json' with { type: 'json' }

export interface ClassTable {
  readonly id: string
  /** The class requires a time in the message. */
  readonly timed: boolean
  readonly words: readonly string[]
  /** The class requires a word of each of these lists, such as the name of a service. */
  readonly needs: readonly (readonly string[])[]
  /** By slot: pairs of the words before and after it, without articles; `^` and `$` are the ends of the message. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** Beginnings of the sentences that end in `{topic}`. */
  readonly heads: readonly string[]
}

/** Stored form: words as numbers in the dictionary, which is separated by spaces. */
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
  /** By slot: pairs of encoded words. */
  readonly beside?: Readonly<Record<string, string>>
  readonly heads?: readonly string[]
}

export interface Known {
  readonly classes: readonly (ClassTable & { readonly has: ReadonlySet<string> })[]
  readonly words: ReadonlySet<string>
  /** Label of each class. */
  readonly labels: readonly string[]
  /** Non-zero weights, by bucket of the feature. */
  readonly weights: readonly Weights[]
  /** Factor that sharpens the scores; an average of several training rounds is less certain than it is right. */
  readonly sharp: number
}

/** Class index and weight, alternating. */
type Weights = readonly number[]

let known: Known | null = null

export function tableNow(): Known {
  known ??= knownOf(TABLE as Table)
  return known
}

/** The shipped table with other weights and another `sharp`. */
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

/** Groups the non-zero weights by bucket, so that scoring visits only the few classes of each feature. */
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

/** Value of one unit of a weight. */
export const STEP = 1

export interface Score {
  readonly at: number
  /** Probability, from 0 to 1, that the message is of this class or another one with the same label. */
  readonly score: number
}

/** Classes by descending score; those of one label stay together, by their own probability. */
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

/** The label of a class: its id without the number that distinguishes phrases of one action. */
export function labelOf(id: string): string {
  return id.replace(/#\d+$/, '')
}
