/**
 * Splits a folded text into stretches of about one sentence, with the words of directives in each (N-19, N-20).
 * Must not judge. Pure and linear: each position is read once, and a look-up is bounded. Called by score.ts.
 */
import type { Span } from '../../wording/guard/spans.ts'
import { LETTER, letterOf, NO_LETTER, UNSPACED } from './letters.ts'
import { type Entry, entriesAt } from './lexicon.ts'
import type { Tag } from './meanings.ts'

export interface Hit extends Span {
  readonly tag: Tag
  /** Number of its tag. */
  readonly number: number
  /** Position, counted in words. */
  readonly step: number
}

export interface Stretch extends Span {
  readonly hits: readonly Hit[]
  /** Position of its beginning, counted in words. */
  readonly step: number
}

/** Maximum words of a stretch without a full stop, and maximum hits of one. */
const MOST_STEPS = 60
const MOST_HITS = 32
/** Characters that end a stretch. A full stop ends it only before a space or a closing mark. */
const ENDS = new Set('!?。！？।؟<>|{}')
const FIRST_KANA = 0x3040
const AFTER_STOP = new Set(' "\')]')

/** Skips each `notice`, which replaces text that was removed. */
export function stretchesOf(source: string, notice: string): readonly Stretch[] {
  const text = source.replaceAll('\n', ' ')
  const found: Stretch[] = []
  let hits: Hit[] = []
  let [start, startStep, step] = [0, 0, 0]
  let inWord = false
  const close = (end: number): void => {
    if (end > start) found.push({ start, end, hits, step: startStep })
    ;[hits, start, startStep, inWord] = [[], end, step, false]
  }
  for (let at = 0; at < text.length; at += 1) {
    const letter = letterOf(text.charCodeAt(at))
    if (letter === NO_LETTER) {
      inWord = false
      if (text.startsWith(notice, at)) {
        close(at)
        at += notice.length - 1
        start = at + 1
      } else if (endsAt(text, at) || step - startStep >= MOST_STEPS) close(at + 1)
      continue
    }
    if (letter === UNSPACED || !inWord) {
      step += letter === UNSPACED ? wordShareOf(text.charCodeAt(at)) : 1
      if (hits.length < MOST_HITS) addHits(hits, text, at, step)
    }
    inWord = letter === LETTER
    if (letter === UNSPACED && step - startStep >= MOST_STEPS) close(at + 1)
  }
  close(text.length)
  return found
}

/** Fraction of a word that one letter counts as in a script without spaces: a quarter in Thai, half in Chinese or Japanese. */
function wordShareOf(unit: number): number {
  return unit < FIRST_KANA ? 0.25 : 0.5
}

function endsAt(text: string, at: number): boolean {
  const character = text[at] ?? ''
  return character === '.' ? AFTER_STOP.has(text[at + 1] ?? ' ') : ENDS.has(character)
}

/** Adds the hits that begin here. A word inside a longer one of the same meaning does not count. */
function addHits(hits: Hit[], text: string, at: number, step: number): void {
  const isFree = letterOf(text.charCodeAt(at)) === UNSPACED
  for (const entries of entriesAt(text, at))
    for (const entry of entries) {
      if (entry.isUnspaced !== isFree || !isWhole(text, at, entry)) continue
      const { tag, number, word } = entry
      if (hits.some((hit) => hit.tag === tag && hit.end > at)) continue
      if (NOUNS.has(word) && DETERMINED.test(text.slice(Math.max(0, at - LONGEST), at))) continue
      hits.push({ start: at, end: at + word.length, tag, number, step })
    }
}

/** Verbs of orders that are nouns as well: "which mail is from the bank", "the last call". */
const NOUNS: ReadonlySet<string> = new Set(['mail', 'email', 'call', 'post', 'transfer', 'wire'])
/** A determiner before a noun, at the end of folded text. */
const DETERMINED =
  /(?:^|[^a-z])(?:which|what|the|an?|this|that|my|your|his|her|its|our|their|every|each|any|no|by|per|welche[rsmn]?|d(?:er|ie|as|em|en)|eine[rsmn]?|diese[rsmn]?|meine[rsmn]?|deine[rsmn]?|seine[rsmn]?|ihre[rsmn]?|keine[rsmn]?|quel|le|un|ce|mon|ton|son|el|este|mi|tu|su|il|questo) $/
/** Maximum UTF-16 units of a determiner and the character before it. */
const LONGEST = 10

function isWhole(text: string, at: number, { word, isPrefix, isUnspaced }: Entry): boolean {
  if (!text.startsWith(word, at)) return false
  return isPrefix || isUnspaced || letterOf(text.charCodeAt(at + word.length)) !== LETTER
}
