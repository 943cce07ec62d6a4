/**
 * Trains the embedded planner: an averaged perceptron over hashed features, rounded to bytes, and the words and slot neighbours of each
 * class. Same sentences, same bytes. Must not write. Called by scripts/train.ts and by its test.
 */
import { CLASSES } from '../../integrations/extractors/learned/classes.ts'
import { BUCKETS, featuresOf } from '../../integrations/extractors/learned/features.ts'
import { ARTICLES } from '../../integrations/extractors/learned/slots.ts'
import type { ClassTable } from '../../integrations/extractors/learned/table.ts'
import { randomFrom, type Sampled, samplesOf } from './samples.ts'

const ROUNDS = 6
const LARGEST = 127

export function trainedTable(): string {
  const sampled = samplesOf(CLASSES)
  const weights = Buffer.from(quantised(trained(sampled))).toString('base64')
  return `${JSON.stringify({ classes: sampled.map(rowOf), weights })}\n`
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
    ...{
      beside: listed(beside),
      heads: [...heads].filter((head) => head !== '').sort(),
    },
  }
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
  const size = sampled.length * BUCKETS
  const [now, summed] = [new Float64Array(size), new Float64Array(size)]
  const random = randomFrom(104_729)
  let step = rows.length * ROUNDS
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(rows, random)
    for (const { of, features } of rows) {
      const other = bestOf(now, features, sampled.length, of)
      if (other !== null)
        for (const feature of features) {
          const [up, down] = [of * BUCKETS + feature, other * BUCKETS + feature]
          now[up] = (now[up] ?? 0) + 1
          now[down] = (now[down] ?? 0) - 1
          summed[up] = (summed[up] ?? 0) + step
          summed[down] = (summed[down] ?? 0) - step
        }
      step -= 1
    }
  }
  return summed
}

/** A wrong class that scores as high as the right one, but for a margin. */
function bestOf(
  weights: Float64Array,
  features: readonly number[],
  count: number,
  right: number,
): number | null {
  const scoreOf = (of: number): number =>
    features.reduce((sum, at) => sum + (weights[of * BUCKETS + at] ?? 0), 0)
  const wanted = scoreOf(right) - features.length / 2
  let best: number | null = null
  let most = wanted
  for (let of = 0; of < count; of++) {
    if (of === right) continue
    const score = scoreOf(of)
    if (score > most) [best, most] = [of, score]
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

function quantised(weights: Float64Array): Int8Array {
  const most = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1)
  return Int8Array.from(weights, (weight) => Math.round((weight / most) * LARGEST))
}
