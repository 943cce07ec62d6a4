/**
 * Trains the tagger of parts by the likelihood of all tags of a message together (a linear-chain conditional random field), with
 * a step size per weight; the largest weights are kept and trained once more. Same messages, same weights. Must not write.
 * Called by parts.ts.
 */
import { canFollow, sumsOf, TAG_BUCKETS } from '../../integrations/extractors/learned/tags.ts'
import { inOrderOf } from './samples.ts'

const ROUNDS = 3
const MORE_ROUNDS = 1
const RATE = 0.2
/** Weight decay per step. */
const DRAWN = 0.001
const LEAST_SLOPE = 0.01
/** Maximum of a stored weight, and the number of stored steps per unit (`STEPS`). */
const LARGEST = 20
const STEPS = 6

export interface TagExample {
  readonly seen: readonly (readonly number[])[]
  readonly tags: readonly number[]
}

export interface TrainedTags {
  /** Indexed by bucket × number of tags + tag. */
  readonly words: Int8Array
  /** Indexed by previous tag × number of tags + tag. */
  readonly steps: Int8Array
}

export function trainedTags(examples: readonly TagExample[], tags: number, most: number): TrainedTags {
  const size = TAG_BUCKETS * tags
  const learner = createLearner(size, tags)
  for (let round = 0; round < ROUNDS; round++)
    for (const example of inOrderOf(round, examples, seenIn)) learn(learner, example, null)
  const { weights } = learner
  const counts = messagesWith(examples)
  // Weighted by frequency: a large weight of a rare feature is worth less than a small one of a common feature.
  const worth = weights.map((weight, at) => Math.abs(weight) * Math.sqrt(counts[Math.floor(at / tags)] ?? 0))
  const least = Float64Array.from(worth).sort()[size - most] ?? 0
  const isKept = Uint8Array.from(worth, (one) => (one > 0 && one >= least ? 1 : 0))
  weights.forEach((weight, at) => {
    weights[at] = isKept[at] === 1 ? weight : 0
  })
  for (let round = 0; round < MORE_ROUNDS; round++)
    for (const example of inOrderOf(ROUNDS + round, examples, seenIn)) learn(learner, example, isKept)
  return { words: levelled(weights), steps: levelled(learner.steps) }
}

const seenIn = ({ seen }: TagExample): readonly number[] => seen.flat()

function levelled(weights: Float64Array): Int8Array {
  return Int8Array.from(weights, (weight) =>
    Math.max(-LARGEST, Math.min(LARGEST, Math.round(weight * STEPS))),
  )
}

/** Number of messages with each bucket. */
function messagesWith(examples: readonly TagExample[]): Uint32Array {
  const counts = new Uint32Array(TAG_BUCKETS)
  for (const { seen } of examples)
    for (const bucket of new Set(seen.flat())) counts[bucket] = (counts[bucket] ?? 0) + 1
  return counts
}

interface Learner {
  readonly tags: number
  /** By tag: the tags that may precede it. */
  readonly leads: readonly (readonly number[])[]
  readonly weights: Float64Array
  readonly squares: Float64Array
  readonly steps: Float64Array
  readonly stepSquares: Float64Array
}

function createLearner(size: number, tags: number): Learner {
  const zeros = (count: number, value = 0): Float64Array => new Float64Array(count).fill(value)
  const all = Array.from({ length: tags }, (_, tag) => tag)
  return {
    tags,
    leads: all.map((tag) => all.filter((last) => canFollow(tag, last, tags))),
    ...{ weights: zeros(size), squares: zeros(size, 1e-3) },
    ...{ steps: zeros(tags * tags), stepSquares: zeros(tags * tags, 1e-3) },
  }
}

/** One gradient step. `isKept`: only these word weights move. */
function learn(learner: Learner, { seen, tags }: TagExample, isKept: Uint8Array | null): void {
  const { weights, squares, steps, stepSquares, tags: count } = learner
  const { own, slopes } = likelihoods(seen, learner)
  seen.forEach((buckets, at) => {
    const [is, lead] = [tags[at] ?? 0, at === 0 ? 0 : (tags[at - 1] ?? 0)]
    slopes[lead * count + is] = (slopes[lead * count + is] ?? 0) - 1
    for (let tag = 0; tag < count; tag++) {
      const slope = (own[at * count + tag] ?? 0) - (tag === is ? 1 : 0)
      if (Math.abs(slope) < LEAST_SLOPE) continue
      for (const bucket of buckets) {
        const one = bucket * count + tag
        if (isKept === null || isKept[one] === 1) moved(weights, squares, one, slope)
      }
    }
  })
  slopes.forEach((slope, one) => {
    if (Math.abs(slope) >= LEAST_SLOPE) moved(steps, stepSquares, one, slope)
  })
}

function moved(weights: Float64Array, squares: Float64Array, at: number, slope: number): void {
  const drawn = slope + DRAWN * (weights[at] ?? 0)
  const square = (squares[at] ?? 0) + drawn * drawn
  squares[at] = square
  weights[at] = (weights[at] ?? 0) - (RATE * drawn) / Math.sqrt(square)
}

/**
 * Marginal probabilities (forward–backward, scaled): `own` of each tag at each word, `slopes` of each pair of adjacent tags,
 * summed over the message.
 */
function likelihoods(
  seen: readonly (readonly number[])[],
  { weights, steps, tags: count, leads }: Learner,
): { readonly own: Float64Array; readonly slopes: Float64Array } {
  const links = steps.map(Math.exp)
  const words = new Float64Array(seen.length * count)
  const ahead = new Float64Array((seen.length + 1) * count)
  ahead[0] = 1
  seen.forEach((buckets, at) => {
    const word = sumsOf(buckets, weights, count)
    const most = word.reduce((max, one) => Math.max(max, one), Number.NEGATIVE_INFINITY)
    const [so, next] = [at * count, (at + 1) * count]
    let all = 0
    for (let tag = 0; tag < count; tag++) {
      const own = Math.exp((word[tag] ?? 0) - most)
      words[so + tag] = own
      let sum = 0
      for (const last of leads[tag] ?? []) sum += (ahead[so + last] ?? 0) * (links[last * count + tag] ?? 0)
      ahead[next + tag] = sum * own
      all += sum * own
    }
    for (let tag = 0; tag < count; tag++) ahead[next + tag] = (ahead[next + tag] ?? 0) / all
  })
  const own = new Float64Array(seen.length * count)
  const slopes = new Float64Array(count * count)
  const pairs = new Float64Array(count * count)
  let behind = new Float64Array(count).fill(1)
  for (let at = seen.length - 1; at >= 0; at--) {
    const so = at * count
    const next = new Float64Array(count)
    let all = 0
    for (let tag = 0; tag < count; tag++) {
      const on = (words[so + tag] ?? 0) * (behind[tag] ?? 0)
      for (const last of leads[tag] ?? []) {
        const step = (links[last * count + tag] ?? 0) * on
        const pair = (ahead[so + last] ?? 0) * step
        pairs[last * count + tag] = pair
        next[last] = (next[last] ?? 0) + step
        all += pair
      }
    }
    let most = 0
    for (let tag = 0; tag < count; tag++) {
      for (const last of leads[tag] ?? []) {
        const pair = (pairs[last * count + tag] ?? 0) / all
        own[so + tag] = (own[so + tag] ?? 0) + pair
        slopes[last * count + tag] = (slopes[last * count + tag] ?? 0) + pair
      }
      most = Math.max(most, next[tag] ?? 0)
    }
    behind = next.map((one) => one / most)
  }
  return { own, slopes }
}
