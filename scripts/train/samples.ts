/**
 * Expands the declared sentences of every class into variants that people type: other words, politeness, order, missing words;
 * slots as marks. Same sentences, same samples. Must not train. Called by table.ts; its order and random numbers also by
 * tagger.ts and directives.ts.
 */
import type { Class } from '../../integrations/extractors/learned/classes.ts'
import { slotOf } from '../../integrations/extractors/learned/classes.ts'
import { type Node, sampleOf, treeOf, treeWords } from '../../integrations/extractors/learned/grammar.ts'
import { normOf } from '../../integrations/extractors/learned/tokens.ts'

/** Number of samples per sentence: `of` divided by the number of the class's sentences, within `least` and `most`. */
const SAMPLES = { least: 32, of: 1_400, most: 260 } as const
/** Samples per sentence from which the neighbours of its slots are taken. */
const NEIGHBOURS = 500
const POLITE = ['please', 'now', 'for me', 'thanks', 'hey', 'can you', 'could you', 'i want to', 'just']
const NTH = ['first', 'second', 'third', 'fourth', 'fifth', 'last', 'latest', 'newest', 'oldest', 'next']

export interface Sampled {
  readonly of: Class
  readonly words: readonly string[]
  /** Sequences of words and `{slot}`. */
  readonly plain: readonly (readonly string[])[]
  /** Whether all of its typed sentences name a time. */
  readonly timed: boolean
  /** The samples as the classifier sees them: words and marks. */
  readonly marks: readonly (readonly string[])[]
}

/** Park–Miller generator: numbers from 0 to 1, 1 excluded. `seed` must not be 0. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const SEED = 2_166_136_261

/**
 * Orders the rows of a round by a hash of their numbers (FNV-1a), differently in each round. A row's hash does not depend on
 * the others, so a few more rows leave the order of the rest, and what is learned from them, unchanged.
 */
export function inOrderOf<T>(
  round: number,
  rows: readonly T[],
  numbersOf: (row: T) => readonly number[],
): readonly T[] {
  const placeOf = (row: T): number =>
    numbersOf(row).reduce((hash, one) => Math.imul(hash ^ one, 16_777_619) >>> 0, (SEED ^ round) >>> 0)
  const placed = rows.map((one) => ({ one, place: placeOf(one) }))
  return placed.sort((a, b) => a.place - b.place).map(({ one }) => one)
}

export function samplesOf(classes: readonly Class[]): readonly Sampled[] {
  const trees = classes.map(({ sentences }) => sentences.map(({ says, lists }) => treeOf(says, lists)))
  const words = trees.map((own) => wordsOf(own))
  const all = [...new Set(words.flat())].filter((word) => word.length > 3)
  return classes.map((of, at) => {
    const own = trees[at] ?? []
    const random = randomFrom(7_919 + hash(of.id))
    const count = Math.min(
      SAMPLES.most,
      Math.max(SAMPLES.least, Math.round(SAMPLES.of / Math.max(1, own.length))),
    )
    const drawn = own.map((tree) => Array.from({ length: NEIGHBOURS }, () => plainOf(tree, of, random)))
    const marks = drawn
      .flatMap((rows) => rows.slice(0, count))
      .map((row) => marksFrom(varied(row, random), all, random))
      .filter((one) => one.length > 0)
    return { of, words: words[at] ?? [], plain: unique(drawn.flat()), marks, timed: isTimed(of) }
  })
}

function isTimed({ sentences }: Class): boolean {
  const typed = sentences.filter((one) => one.typed === true)
  return typed.length > 0 && typed.every(({ says }) => /(?<!\[[^\]]*)\{when\}/.test(says))
}

function hash(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)
}

function wordsOf(trees: readonly (readonly Node[])[]): readonly string[] {
  const found = trees.flatMap((tree) => treeWords(tree)).flatMap(partsOf)
  const nth = JSON.stringify(trees).includes('"nth"') ? NTH : []
  return [...new Set([...found, ...nth])].sort()
}

/** Splits a text into words, in the form of tokens. */
export function partsOf(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .map((word) => normOf(word).replace(/[^\p{L}\p{M}\p{N}:.-]/gu, ''))
    .filter((word) => word !== '')
}

function plainOf(tree: readonly Node[], of: Class, random: () => number): readonly string[] {
  return sampleOf(tree, random).flatMap((word) => {
    if (word.startsWith('{')) return [`{${slotOf(word.slice(1, -1), of.phrase)}}`]
    return partsOf(word)
  })
}

function varied(words: readonly string[], random: () => number): readonly string[] {
  const dice = random()
  const at = words.indexOf('{when}')
  if (dice < 0.1 && at > 0) return ['{when}', ...words.filter((_, index) => index !== at)]
  if (dice < 0.22) return [...words, pick(POLITE, random)].flatMap((word) => word.split(' '))
  if (dice < 0.32) return [pick(POLITE, random), ...words].flatMap((word) => word.split(' '))
  return words
}

function marksFrom(
  words: readonly string[],
  all: readonly string[],
  random: () => number,
): readonly string[] {
  const marks = words.flatMap((word) => (word.startsWith('{') ? markOf(word, all, random) : [word]))
  return marks.filter((mark, at) => !mark.startsWith('{') || mark !== marks[at - 1])
}

function markOf(slot: string, all: readonly string[], random: () => number): readonly string[] {
  const filler = (): string => (random() < 0.7 ? '{x}' : pick(all, random))
  switch (slot) {
    case '{when}':
    case '{number}':
    case '{address}':
      return [slot]
    case '{site}':
      return ['{x}']
    case '{address_of}':
    case '{mail}':
      return ['{mail}']
    case '{nth}':
      return [pick(NTH, random)]
    case '{...}':
      return random() < 0.5 ? [] : random() < 0.5 ? ['{when}'] : [filler()]
    case '{topic}':
      return Array.from({ length: 1 + Math.floor(random() * 5) }, filler)
    default:
      if (/^\{(?:any|plain) /.test(slot)) return random() < 0.5 ? [] : ['{x}']
      return random() < 0.75 ? [filler()] : [filler(), filler()]
  }
}

function pick(from: readonly string[], random: () => number): string {
  return from[Math.floor(random() * from.length)] ?? ''
}

function unique(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()]
}
