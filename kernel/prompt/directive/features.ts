/**
 * Hashed features of a stretch: the meanings of its words, alone, in pairs and in triples; the meanings in the
 * sentence before; and its words, word pairs and letter n-grams. Pure. Called by score.ts and by training.
 */
import { numberOf, type Tag } from './meanings.ts'
import type { Hit, Stretch } from './stretches.ts'

/** Buckets of the hash table: one half for meanings, one half for letters. */
export const BUCKETS = 32_768
const HALF = BUCKETS / 2
const HALF_BITS = 14
export const isOfLetters = (bucket: number): boolean => bucket >= HALF

/** Maximum distance in words of two hits that form a pair, and of two that are near each other. */
const FAR = 14
const NEAR = 4
/** Maximum distance in words to a hit in the sentence before. */
const BEFORE = 30
/**
 * Number of following hits that a hit is paired with, and number of hits of each sentence that are paired across two sentences.
 */
const AHEAD = 6
const MOST_BEFORE = 12
/** Number of words at the beginning of a stretch within which a hit also has a `first` feature. */
const FIRST = 2
/** Maximum words that are read, length of a letter n-gram, and maximum n-grams of a word. */
const MOST_WORDS = 80
const RUN = 4
const MOST_RUNS = 12
const WORDS = /[\p{L}\p{M}\p{N}']+/gu

/** `together` and `near` ignore the order of the hits, because word order differs between languages. */
const KINDS = ['alone', 'first', 'ordered', 'together', 'near', 'three', 'before'] as const
type Kind = (typeof KINDS)[number]
const KIND = Object.fromEntries(KINDS.map((kind, at) => [kind, at])) as Readonly<Record<Kind, number>>

/** Called for each feature, for some more than once, with the hits that form it. */
export type Visit = (bucket: number, a: Hit, b?: Hit, c?: Hit) => void

export function eachMeaning({ hits, step }: Stretch, before: Stretch | undefined, visit: Visit): void {
  for (let i = 0; i < hits.length; i += 1) {
    const a = hits[i]
    if (a === undefined) continue
    visit(bucketOf(KIND.alone, a.number), a)
    if (a.step - step <= FIRST) visit(bucketOf(KIND.first, a.number), a)
    pairsOf(hits, i, a, visit)
  }
  for (const a of before?.hits.slice(-MOST_BEFORE) ?? []) {
    if (step - a.step > BEFORE) continue
    for (const b of hits.slice(0, MOST_BEFORE)) visit(bucketOf(KIND.before, a.number, b.number), a, b)
  }
}

function pairsOf(hits: readonly Hit[], i: number, a: Hit, visit: Visit): void {
  const most = Math.min(hits.length - 1, i + AHEAD)
  for (let j = i + 1; j <= most; j += 1) {
    const b = hits[j]
    if (b === undefined || b.step - a.step > FAR) return
    const [low, high] = a.number < b.number ? [a.number, b.number] : [b.number, a.number]
    visit(bucketOf(KIND.ordered, a.number, b.number), a, b)
    visit(bucketOf(KIND.together, low, high), a, b)
    if (b.step - a.step <= NEAR) visit(bucketOf(KIND.near, low, high), a, b)
    for (let k = j + 1; k <= most; k += 1) {
      const c = hits[k]
      if (c === undefined || c.step - b.step > FAR) break
      visit(threeOf(low, high, c.number), a, b, c)
    }
  }
}

/** Bucket of three meanings in any order; `low` is at most `high`. */
function threeOf(low: number, high: number, other: number): number {
  if (other < low) return bucketOf(KIND.three, other, low, high)
  return other < high ? bucketOf(KIND.three, low, other, high) : bucketOf(KIND.three, low, high, other)
}

/** Fewer than 64 meanings and eight kinds, so each feature has a number of its own; spread by Fibonacci hashing. */
function bucketOf(kind: number, a: number, b = 0, c = 0): number {
  return Math.imul(((kind * 64 + a) * 64 + b) * 64 + c + 1, 0x9e3779b1) >>> (32 - HALF_BITS)
}

/** Bucket of a form that training starts with: one meaning, two or three in any order, or one in the sentence before another. */
export function bucketOfForm(tags: readonly Tag[], isBefore: boolean): number {
  const numbers = tags.map(numberOf)
  if (isBefore) return bucketOf(KIND.before, numbers[0] ?? 0, numbers[1] ?? 0)
  const [a = 0, b = 0, c = 0] = numbers.toSorted((x, y) => x - y)
  if (tags.length === 1) return bucketOf(KIND.alone, a)
  return tags.length === 2 ? bucketOf(KIND.together, a, b) : bucketOf(KIND.three, a, b, c)
}

export function eachOfLetters(text: string, { start, end }: Stretch, visit: (bucket: number) => void): void {
  const words = text.slice(start, end).match(WORDS)?.slice(0, MOST_WORDS) ?? []
  words.forEach((word, at) => {
    visit(bucketOfText(word))
    visit(bucketOfText(`${word} ${words[at + 1] ?? ''}`))
    if (word.length > RUN)
      for (let i = 0; i + RUN <= word.length && i < MOST_RUNS; i += 1) visit(bucketOfText(word, i, i + RUN))
  })
}

/** FNV-1a hash of a text, in the half for letters. */
function bucketOfText(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return HALF + (((hash ^ (hash >>> 15)) >>> 0) % HALF)
}
