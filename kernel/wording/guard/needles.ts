/**
 * Looks for known values in a text, in every spelling that it was given. Only places come out: what was found stays with
 * who looked. Must not know where the values come from or log one. Called by the redactor at home and by the edge's own
 * list, which are what stands behind `KnownSecrets`.
 */
import { type Span, squeeze, unsqueeze } from './spans.ts'

export interface Find extends Span {
  /** Of the secret: what an audit line may say. */
  readonly name: string
}

/** The secrets that a place knows, for the output guard (E-18): the kernel sees where they stand, never what they are. */
export interface KnownSecrets {
  /** Also where spaces or line breaks stand in between. Whoever answers reports its finds itself. */
  find(text: string): readonly Span[]
  /** What those are called that stand in it, in the same way; reports nothing. */
  names(text: string): readonly string[]
  /** UTF-16 units at the end of a text without white space that could be the beginning of one. */
  unfinished(text: string): number
}

export interface Needles {
  add(name: string, spelling: string): void
  /** As the text stands. */
  find(text: string): readonly Find[]
  /** Also across white space. */
  findSplit(text: string): readonly Find[]
  /** Of those that `findSplit` finds. */
  names(text: string): readonly string[]
  unfinished(text: string): number
}

/** Spellings kept: one for each secret and form; beyond them the oldest go, so that rotating cannot fill the memory. */
const MAX_SPELLINGS = 8_192

interface Needle {
  readonly name: string
  readonly pattern: RegExp
}

export function createNeedles(): Needles {
  const known = new Map<string, Needle>()
  const find = (text: string): readonly Find[] => {
    const found: Find[] = []
    for (const { name, pattern } of known.values())
      for (const { 0: hit, index } of text.matchAll(pattern))
        found.push({ name, start: index, end: index + hit.length })
    return found
  }
  const findSplit = (text: string): readonly Find[] => {
    const squeezed = squeeze(text)
    const split = find(squeezed.text).map((span) => ({ ...span, ...unsqueeze(squeezed, span) }))
    return [...find(text), ...split]
  }
  return {
    add(name, spelling) {
      if (known.size >= MAX_SPELLINGS) known.delete(known.keys().next().value ?? '')
      known.set(spelling, { name, pattern: patternOf(spelling) })
    },
    find,
    findSplit,
    names: (text) => [...new Set(findSplit(text).map(({ name }) => name))],
    unfinished(text) {
      let longest = 0
      for (const spelling of known.keys()) longest = Math.max(longest, overlap(text, spelling))
      return longest
    },
  }
}

/** Length of the longest end of `text` with which `spelling` begins, but not all of it. */
function overlap(text: string, spelling: string): number {
  const last = text.at(-1)?.toLowerCase()
  if (last === undefined) return 0
  for (let length = Math.min(text.length, spelling.length - 1); length > 0; length -= 1) {
    if (spelling[length - 1]?.toLowerCase() !== last) continue
    if (text.slice(-length).toLowerCase() === spelling.slice(0, length).toLowerCase()) return length
  }
  return 0
}

/** Hex and percent codes come in both cases; a secret itself in one. */
function patternOf(spelling: string): RegExp {
  const source = spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return new RegExp(source, /^[0-9a-f]+$/.test(spelling) || spelling.includes('%') ? 'gi' : 'g')
}
