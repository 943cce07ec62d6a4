/**
 * Index of the words of directives in all languages, by their first letters. Must not
 * judge: stretches.ts finds words, trained weights judge. Called by stretches.ts.
 */

import { letterOf, UNSPACED } from './letters.ts'
import { ENGLISH } from './lexicon-english.ts'
import { LATIN } from './lexicon-latin.ts'
import { SCRIPTS } from './lexicon-scripts.ts'
import { numberOf, TAGS, type Tag } from './meanings.ts'

export interface Entry {
  readonly word: string
  readonly tag: Tag
  readonly number: number
  readonly isPrefix: boolean
  /** In a script without spaces, the word may begin and end anywhere. */
  readonly isUnspaced: boolean
}

/** Key: the first two letters as one number, or a word's only letter. Longest word first. */
let index: ReadonlyMap<number, readonly Entry[]> | null = null

/** The index, built on first use. */
function indexNow(): ReadonlyMap<number, readonly Entry[]> {
  index ??= indexed(
    [ENGLISH, LATIN, SCRIPTS].flatMap((lexicon) =>
      TAGS.flatMap((tag) => (lexicon[tag] ?? '').split('|').map((word) => entryOf(tag, word))),
    ),
  )
  return index
}

const NONE: readonly Entry[] = []

/** Entries that may begin at this position, judged by the first two letters. */
export function entriesAt(text: string, at: number): readonly (readonly Entry[])[] {
  const [entries, first] = [indexNow(), text.charCodeAt(at)]
  const two = at + 1 < text.length ? entries.get(keyOf(first, text.charCodeAt(at + 1))) : undefined
  return [two ?? NONE, entries.get(keyOf(first, 0)) ?? NONE]
}

function keyOf(first: number, second: number): number {
  return first * 65_536 + second
}

function entryOf(tag: Tag, source: string): Entry {
  const spaced = source.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
  const word = spaced.replace(/\*$/, '')
  return {
    tag,
    number: numberOf(tag),
    word,
    isPrefix: spaced !== word,
    isUnspaced: letterOf(word.charCodeAt(0)) === UNSPACED,
  }
}

function indexed(entries: readonly Entry[]): ReadonlyMap<number, readonly Entry[]> {
  const made = new Map<number, Entry[]>()
  for (const entry of entries) {
    if (entry.word === '') continue
    const key = keyOf(entry.word.charCodeAt(0), entry.word.length > 1 ? entry.word.charCodeAt(1) : 0)
    const own = made.get(key)
    if (own === undefined) made.set(key, [entry])
    else own.push(entry)
  }
  for (const own of made.values()) own.sort((a, b) => b.word.length - a.word.length)
  return made
}
