/**
 * Trains the embedded planner: an averaged perceptron over hashed features, rounded to one of sixteen levels, and the words and slot neighbours of each
 * class. Same sentences, same bytes. Must not write. Called by scripts/train.ts and by its test.
 */
import { CLASSES, type Class } from '../../integrations/extractors/learned/classes.ts'
import { BUCKETS, featuresOf } from '../../integrations/extractors/learned/features.ts'
import { ARTICLES } from '../../integrations/extractors/learned/slots.ts'
import type { ClassTable } from '../../integrations/extractors/learned/table.ts'
import { partsOf, randomFrom, type Sampled, samplesOf } from './samples.ts'

const ROUNDS = 6
const LARGEST = 127
/** Different numbers that a weight can be. */
const LEVELS = 16
/** After which none moves: 40 are enough for 48 classes. */
const TURNS = 200

export function trainedTable(): string {
  const sampled = samplesOf(CLASSES)
  const weights = scaled(trained(sampled))
  const levels = levelsOf(weights)
  const indices = Array.from(weights, (weight) => nearest(levels, weight))
  const counts = levels.map((_, index) => indices.filter((one) => one === index).length)
  const byCount = levels.map((_, index) => index).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b)
  const ones = levels.map((_, index) => byCount.indexOf(index))
  return `${JSON.stringify({ classes: sampled.map(rowOf), levels: byCount.map((index) => levels[index]), weights: bitsOf(indices.map((index) => ones[index] ?? 0)) })}\n`
}

/** As many ones as each number says, and a zero, in base64. */
function bitsOf(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(Math.ceil(numbers.reduce((sum, ones) => sum + ones + 1, 0) / 8))
  let bit = 0
  for (const ones of numbers) {
    for (const end = bit + ones; bit < end; bit++)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (128 >> (bit & 7))
    bit++
  }
  return bytes.toString('base64')
}

function rowOf({ of, words, plain, timed }: Sampled): ClassTable {
  const beside: Record<string, Set<string>> = {}
  const heads = new Set<string>()
  for (const sentence of of.phrase === null ? [] : plain) {
    sentence.forEach((word, at) => {
      const slot = /^\{(\w+)\}$/.exec(word)?.[1]
      if (slot === undefined) return
      const lead = sentence.slice(0, at).findLast((one) => !ARTICLES.has(one)) ?? '^'
      beside[slot] = (beside[slot] ?? new Set<string>()).add(`${lead} ${sentence[at + 1] ?? '$'}`)
    })
    const isOpen = sentence.at(-1) === '{topic}'
    if (isOpen) heads.add(sentence.slice(0, -1).join(' '))
  }
  return {
    id: of.id,
    timed,
    words: of.phrase === null ? words.filter((word) => word.length > 1) : words,
    needs: of.phrase === null ? [] : needsOf(of, plain),
    ...{
      beside: listed(beside),
      heads: [...heads].filter((head) => head !== '').sort(),
    },
  }
}

/** The lists of which every way to say it has a word. */
function needsOf(
  { sentences }: Class,
  plain: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const lists = new Map<string, Set<string>>()
  for (const { lists: own } of sentences)
    for (const [name, entries] of Object.entries(own)) {
      const words = entries.flatMap(partsOf)
      lists.set(name, new Set([...(lists.get(name) ?? []), ...words]))
    }
  const isIn = (words: ReadonlySet<string>): boolean =>
    plain.length > 0 && plain.every((sentence) => sentence.some((word) => words.has(word)))
  return [...lists.values()].filter(isIn).map((words) => [...words].sort())
}

function listed(side: Readonly<Record<string, ReadonlySet<string>>>): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(side)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([slot, words]) => [slot, [...words].sort()]),
  )
}

/** Sum of the weights of all rounds, which is their mean but for a factor. */
function trained(sampled: readonly Sampled[]): Float64Array {
  const rows = sampled.flatMap(({ marks }, of) => marks.map((one) => ({ of, features: featuresOf(one) })))
  const count = sampled.length
  const size = count * BUCKETS
  // By feature and then by class, so that the scores of all classes lie side by side: the other way takes three times as long.
  const [now, summed] = [new Float64Array(size), new Float64Array(size)]
  const scores = new Float64Array(count)
  const random = randomFrom(104_729)
  let step = rows.length * ROUNDS
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(rows, random)
    for (const { of, features } of rows) {
      const other = bestOf(now, features, scores, of)
      if (other !== null)
        for (const feature of features) {
          const [up, down] = [feature * count + of, feature * count + other]
          now[up] = (now[up] ?? 0) + 1
          now[down] = (now[down] ?? 0) - 1
          summed[up] = (summed[up] ?? 0) + step
          summed[down] = (summed[down] ?? 0) - step
        }
      step -= 1
    }
  }
  return byClass(summed, count)
}

function byClass(weights: Float64Array, count: number): Float64Array {
  const turned = new Float64Array(weights.length)
  for (let feature = 0; feature < BUCKETS; feature++)
    for (let of = 0; of < count; of++) turned[of * BUCKETS + feature] = weights[feature * count + of] ?? 0
  return turned
}

/** A wrong class that scores as high as the right one, but for a margin. */
function bestOf(
  weights: Float64Array,
  features: readonly number[],
  scores: Float64Array,
  right: number,
): number | null {
  const count = scores.length
  scores.fill(0)
  for (const feature of features) {
    const from = feature * count
    for (let of = 0; of < count; of++) scores[of] = (scores[of] ?? 0) + (weights[from + of] ?? 0)
  }
  let best: number | null = null
  let most = (scores[right] ?? 0) - features.length / 2
  for (let of = 0; of < count; of++) {
    const score = scores[of] ?? 0
    if (of !== right && score > most) [best, most] = [of, score]
  }
  return best
}

function shuffle<T>(rows: T[], random: () => number): void {
  for (let at = rows.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [a, b] = [rows[at], rows[other]]
    if (a !== undefined && b !== undefined) [rows[at], rows[other]] = [b, a]
  }
}

function scaled(weights: Float64Array): Int8Array {
  const most = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1)
  return Int8Array.from(weights, (weight) => Math.round((weight / most) * LARGEST))
}

/** The sixteen numbers that stand for all weights with the least error: means of nearest neighbours, moved until they stay (Lloyd). One
 * is 0, so that a word that nothing was learned of weighs nothing. */
function levelsOf(weights: Int8Array): readonly number[] {
  const counts = new Map<number, number>()
  for (const weight of weights) counts.set(weight, (counts.get(weight) ?? 0) + 1)
  const [low, high] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  let levels = Array.from({ length: LEVELS }, (_, at) => low + ((high - low) * at) / (LEVELS - 1))
  for (let turn = 0; turn < TURNS; turn++) {
    const sums = levels.map(() => ({ total: 0, count: 0 }))
    for (const [weight, count] of counts) {
      const near = sums[nearest(levels, weight)]
      if (near === undefined) continue
      near.total += weight * count
      near.count += count
    }
    const zero = nearest(levels, 0)
    levels = levels.map((level, at) => {
      const { total, count } = sums[at] ?? { total: 0, count: 0 }
      return at === zero ? 0 : count === 0 ? level : total / count
    })
  }
  return levels.map(Math.round)
}

function nearest(levels: readonly number[], weight: number): number {
  let best = 0
  for (let at = 1; at < levels.length; at++)
    if (Math.abs((levels[at] ?? 0) - weight) < Math.abs((levels[best] ?? 0) - weight)) best = at
  return best
}
