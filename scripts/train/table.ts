/**
 * Trains the embedded planner: softmax regression over hashed features, the largest weights rounded to whole steps, fewer for
 * the edge and more for home; and the words and slot neighbours of each class. Same sentences, same bytes. Must not write.
 * Called by scripts/train.ts and tags-worker.ts.
 */

import { CLASSES, type Class } from '../../integrations/extractors/learned/classes.ts'
import { BUCKETS, featuresOf } from '../../integrations/extractors/learned/features.ts'
import { ARTICLES } from '../../integrations/extractors/learned/slots.ts'
import {
  type ClassTable,
  labelOf,
  type PackedClass,
  STEP,
} from '../../integrations/extractors/learned/table.ts'
import { marksOf } from '../../integrations/extractors/learned/tokens.ts'
import { Dictionary, packWeights } from './pack.ts'
import { readOnce } from './read-once.ts'
import { type SaidLine, type SaidMessage, saidMessages } from './said.ts'
import { inOrderOf, partsOf, type Sampled, samplesOf } from './samples.ts'

/**
 * Training per place. The edge keeps few weights, which are then trained alone; home keeps the mean of its rounds but the first.
 */
const PLACES = {
  edge: { rounds: 6, moreRounds: 3, kept: 62_000, made: 500, isMean: false },
  home: { rounds: 4, moreRounds: 0, kept: 340_000, made: 80, isMean: true },
} as const
const RATE = 0.3
const LEAST_SLOPE = 0.01
/** Weight of a message that somebody typed, and of a generated sample. */
const WEIGHT = { typed: 3, made: 0.5 } as const
const LARGEST = 20
/** Prefix of labels that no package declares: requests that code reads, two requests, what must not be done. */
export const ELSE = 'else:'

/** Labels of requests that write. */
const CHANGES =
  /^(?:memory_save|task\.|reminder\.(?!list)|calendar\.(?!list|free|find)|email\.(?!list|search|read|count|promises))/

export interface Trained {
  /** JSON of the table, with the weights that fit the edge. */
  readonly table: string
  /** JSON of the larger set of weights, for home. */
  readonly home: string
}

export function trainedTables(): Trained {
  const sampled = samplesOf(CLASSES)
  const messages = saidMessages()
  const ids = sampled.map(({ of }) => of.id)
  const labels = new Set(ids.map((id) => labelOf(id).replace(/^cannot:.*/, 'cannot')))
  const others = [...new Set(messages.map(({ label }) => label))].filter((label) => !labels.has(label)).sort()
  const all = [...ids, ...others.map((label) => `${ELSE}${label}`)]
  const edge = trained(examplesOf(sampled, all, { lines: messages, ...PLACES.edge }), all.length, PLACES.edge)
  const lines = linesAtHome(messages)
  const home = trained(examplesOf(sampled, all, { lines, ...PLACES.home }), all.length, PLACES.home)
  const dictionary = new Dictionary()
  const classes = [
    ...sampled.map((one) => packed(rowOf(one), dictionary)),
    ...others.map((label) => ({ id: `${ELSE}${label}` })),
  ]
  const table = { words: dictionary.words.join(' '), classes, weights: packWeights(levelled(edge)) }
  return {
    table: `${JSON.stringify(table)}\n`,
    home: `${JSON.stringify(packWeights(levelled(home)))}\n`,
  }
}

/**
 * Home's training messages: additional ones, and each writing request of a message with several. Reads and small talk beside
 * another request are left out, because they are worded as its continuation.
 */
function linesAtHome(messages: readonly SaidMessage[]): readonly SaidLine[] {
  const more = saidMessages('more-said.txt')
  const known = new Set(messages.filter(({ requests }) => requests.length === 0).map(({ label }) => label))
  const beside = [...messages, ...more].flatMap(({ requests }) =>
    requests.filter(({ label }) => known.has(label) && CHANGES.test(label)),
  )
  return [...messages, ...more.filter(({ label }) => known.has(label) || label === 'two'), ...beside]
}

function packed({ id, timed, words, needs, beside, heads }: ClassTable, dictionary: Dictionary): PackedClass {
  const pack = (all: readonly string[]): string => dictionary.pack(all)
  return {
    id,
    ...(timed && { timed }),
    words: pack(words),
    ...(needs.length > 0 && { needs: needs.map(pack) }),
    beside: Object.fromEntries(
      Object.entries(beside).map(([slot, pairs]) => [slot, pack(pairs.flatMap((pair) => pair.split(' ')))]),
    ),
    ...(heads.length > 0 && { heads: heads.map((head) => pack(head.split(' '))) }),
  }
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
    words: knownWords({ of, words }),
    needs: of.phrase === null ? [] : needsOf(of, plain),
    ...{
      beside: listed(beside),
      heads: [...heads].filter((head) => head !== '').sort(),
    },
  }
}

/** Words of the table, in its order; typos are recognised by them. */
export function wordsOfTable(): ReadonlySet<string> {
  return new Set(samplesOf(CLASSES).flatMap((one) => knownWords(one)))
}

function knownWords({ of, words }: Pick<Sampled, 'of' | 'words'>): readonly string[] {
  return of.phrase === null ? words.filter((word) => word.length > 1) : words
}

/** The word lists of which every sentence of the class has a word. */
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

interface Example {
  /** Classes that count as correct. */
  readonly of: readonly number[]
  readonly features: readonly number[]
  readonly weight: number
}

/** Examples of the declared sentences and of the typed messages; for a message every class of its label is correct. */
function examplesOf(
  sampled: readonly Sampled[],
  ids: readonly string[],
  { lines, made }: { readonly lines: readonly SaidLine[]; readonly made: number },
): Example[] {
  const words = new Set(sampled.flatMap((one) => knownWords(one)))
  const byLabel = new Map<string, number[]>()
  ids.forEach((id, at) => {
    const label = labelOf(id).replace(/^cannot:.*/, 'cannot')
    byLabel.set(label, [...(byLabel.get(label) ?? []), at])
    byLabel.set(id, [at, ...(label === id ? (byLabel.get(id) ?? []).filter((one) => one !== at) : [])])
  })
  return [
    ...sampled.flatMap(({ marks }, at) =>
      spread(marks, made).map((one) => ({ of: [at], features: featuresOf(one), weight: WEIGHT.made })),
    ),
    ...lines.flatMap(({ label, text }) => {
      const read = readOnce(text, words)
      const of = byLabel.get(label) ?? byLabel.get(`${ELSE}${label}`) ?? []
      return [{ of, features: featuresOf(marksOf({ ...read, text })), weight: WEIGHT.typed }]
    }),
  ]
}

const featuresIn = ({ features }: Example): readonly number[] => features

/** About `most` entries, spread evenly over the list. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most)
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/** Trains the weights and keeps the largest; the edge's are then trained once more with only these free to move. */
function trained(
  examples: Example[],
  count: number,
  { rounds, moreRounds, kept, isMean }: (typeof PLACES)[keyof typeof PLACES],
): Float64Array {
  const size = count * BUCKETS
  const learner: Learner = {
    // Indexed by feature × number of classes + class: with all classes adjacent in memory, training takes a third of the time.
    ...{ weights: new Float64Array(size), squares: new Float64Array(size).fill(1e-3) },
    ...{ scores: new Float64Array(count), wanted: new Float64Array(count) },
  }
  const { weights } = learner
  const mean = isMean ? new Float64Array(size) : null
  for (let round = 0; round < rounds; round++) {
    learn(learner, inOrderOf(round, examples, featuresIn))
    // The first round is left out of the mean, as its weights are still poor.
    if (mean !== null && round > 0)
      for (let at = 0; at < size; at++) mean[at] = (mean[at] ?? 0) + (weights[at] ?? 0) / (rounds - 1)
  }
  if (mean !== null) weights.set(mean)
  const least = weights.map(Math.abs).sort()[size - kept] ?? 0
  const isKept = Uint8Array.from(weights, (weight) => (Math.abs(weight) >= least && weight !== 0 ? 1 : 0))
  weights.forEach((weight, at) => {
    weights[at] = isKept[at] === 1 ? weight : 0
  })
  for (let round = 0; round < moreRounds; round++)
    learn(learner, inOrderOf(rounds + round, examples, featuresIn), isKept)
  return byClass(weights, count)
}

interface Learner {
  readonly weights: Float64Array
  readonly squares: Float64Array
  readonly scores: Float64Array
  readonly wanted: Float64Array
}

/** One round of softmax regression, with a step size per weight (AdaGrad). `isKept`: only these weights move. */
function learn(
  { weights, squares, scores, wanted }: Learner,
  examples: readonly Example[],
  isKept: Uint8Array | null = null,
): void {
  const moving = new Uint16Array(scores.length)
  const slopes = new Float64Array(scores.length)
  for (const { of, features, weight } of examples) {
    const scale = 1 / Math.sqrt(features.length)
    likelihoods(weights, features, scores, scale)
    const all = of.reduce((sum, at) => sum + (scores[at] ?? 0), 0)
    wanted.fill(0)
    for (const at of of) wanted[at] = all > 0 ? (scores[at] ?? 0) / all : 1 / of.length
    let count = 0
    for (let at = 0; at < scores.length; at++) {
      const slope = ((scores[at] ?? 0) - (wanted[at] ?? 0)) * scale * weight
      // A small error moves no weight, so that most weights stay 0.
      if (Math.abs(slope) < LEAST_SLOPE) continue
      moving[count] = at
      slopes[count++] = slope
    }
    // By feature first, as its weights are adjacent in memory.
    for (const feature of features)
      for (let move = 0; move < count; move++) {
        const one = feature * scores.length + (moving[move] ?? 0)
        if (isKept !== null && isKept[one] === 0) continue
        const slope = slopes[move] ?? 0
        const square = (squares[one] ?? 0) + slope * slope
        squares[one] = square
        weights[one] = (weights[one] ?? 0) - (RATE * slope) / Math.sqrt(square)
      }
  }
}

function likelihoods(
  weights: Float64Array,
  features: readonly number[],
  scores: Float64Array,
  scale: number,
): void {
  const count = scores.length
  scores.fill(0)
  for (const feature of features) {
    const from = feature * count
    for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) + (weights[from + at] ?? 0)
  }
  const most = scores.reduce((max, score) => Math.max(max, score), Number.NEGATIVE_INFINITY)
  for (let at = 0; at < count; at++) scores[at] = Math.exp(((scores[at] ?? 0) - most) * scale)
  const all = scores.reduce((sum, score) => sum + score, 0)
  for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) / all
}

function byClass(weights: Float64Array, count: number): Float64Array {
  const turned = new Float64Array(weights.length)
  for (let feature = 0; feature < BUCKETS; feature++)
    for (let of = 0; of < count; of++) turned[of * BUCKETS + feature] = weights[feature * count + of] ?? 0
  return turned
}

/** Rounds the weights to whole steps of the table; a kept weight is at least one step. */
function levelled(weights: Float64Array): Int8Array {
  return Int8Array.from(weights, (weight) =>
    weight === 0
      ? 0
      : Math.sign(weight) * Math.min(LARGEST, Math.max(1, Math.round(Math.abs(weight) / STEP))),
  )
}
