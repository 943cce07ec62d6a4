/**
 * Tags the parts of a request anywhere in a message, and the start of a second request, with the trained tagger. Must not decide
 * the action, nor read a time. Called by the rules model at home and by training.
 */

import type { Moment } from '../../dates/read.ts'
import { isInQuotes } from '../message/in-quotes.ts'
import { type PackedWeights, unpackWeights } from './packed.ts'
import { tableNow } from './table.ts'
import TAGGER from './tags.json' with { type: 'json' }
import { CUT_TAGS, PARTS, type PartName, seenOf, TAG_BUCKETS, TAGS, type TagWeights, tagsOf } from './tags.ts'
import { type Token, tokensOf } from './tokens.ts'

export interface TaggedPart {
  readonly part: PartName
  /** The part as typed. */
  readonly text: string
  /** Position in the message, in UTF-16 code units; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Stored form of the trained tagger. */
export interface Tagger {
  readonly parts: PackedTags
  readonly cuts: PackedTags
  /** Words that are often outside of all parts, separated by spaces. */
  readonly beside: string
}

export interface PackedTags {
  readonly words: PackedWeights
  readonly steps: readonly number[]
}

interface Known {
  readonly parts: TagWeights
  readonly cuts: TagWeights
  readonly beside: ReadonlySet<string>
}

let known: Known | null = null

function taggerNow(): Known {
  const { parts, cuts, beside } = TAGGER as unknown as Tagger
  known ??= {
    ...{ parts: weightsOf(parts, TAGS), cuts: weightsOf(cuts, CUT_TAGS) },
    beside: new Set(beside.split(' ')),
  }
  return known
}

function weightsOf({ words, steps }: PackedTags, tags: number): TagWeights {
  return { words: unpackWeights(words, TAG_BUCKETS * tags), steps, tags }
}

/** The parts of a text, in order. `label`: the action or intent of the text (`likely.ts`). */
export function partsIn(text: string, label: string, moment: Moment): readonly TaggedPart[] {
  const { tokens } = tokensOf(text, tableNow().words, moment)
  return partsOfTags(text, tokens, tagsOf(seenOf({ tokens, text }, label), taggerNow().parts))
}

/** Splits a message, as typed, at the places where the tagger starts a new request. */
export function requestsIn(text: string, moment: Moment): readonly string[] {
  const { tokens } = tokensOf(text, tableNow().words, moment)
  const tags = tagsOf(seenOf({ tokens, text }, ''), taggerNow().cuts)
  const begins = [
    0,
    ...tokens.flatMap(({ start }, at) =>
      at > 0 && tags[at] === 1 && !isInQuotes(text, start) ? [start] : [],
    ),
  ]
  return begins.map((from, at) => text.slice(from, begins[at + 1] ?? text.length).trim())
}

/** Number of words outside the parts that are not among those often found there. */
export function asidesIn(text: string, parts: readonly TaggedPart[], moment: Moment): number {
  const { tokens } = tokensOf(text, tableNow().words, moment)
  const { beside } = taggerNow()
  return tokens.filter(
    ({ norm, start, end }) => !beside.has(norm) && !parts.some(({ from, to }) => start < to && end > from),
  ).length
}

export function partsOfTags(
  text: string,
  tokens: readonly Token[],
  tags: readonly number[],
): readonly TaggedPart[] {
  const parts: { part: PartName; from: number; to: number }[] = []
  tags.forEach((tag, at) => {
    const { start, end } = tokens[at] ?? { start: 0, end: 0 }
    const part = tag === 0 ? undefined : PARTS[(tag - 1) >> 1]
    if (part === undefined) return
    const last = parts.at(-1)
    if (last !== undefined && tag % 2 === 0) last.to = end
    else parts.push({ part, from: start, to: end })
  })
  return parts.map((one) => ({ ...one, text: text.slice(one.from, one.to) }))
}
