/**
 * Searches a text for known values, in every spelling that was registered. Returns positions only. Must not know where the
 * values come from, or log one. Called by the redactor at home and by the edge's own list, which implement `KnownSecrets`.
 */
import { type Span, squeeze, unsqueeze } from './spans.ts'

export interface Find extends Span {
  /** Name of the secret, which may appear in an audit row. */
  readonly name: string
}

/** A place's secrets for the output guard (E-18): the kernel learns their positions in a text, never their values. */
export interface KnownSecrets {
  /** Also finds values split by spaces or line breaks. The implementation reports its finds. */
  find(text: string): readonly Span[]
  /** Names of the secrets in a text, found in the same way; reports nothing. */
  names(text: string): readonly string[]
  /** UTF-16 units at the end of a text without white space that may be the beginning of a secret. */
  unfinished(text: string): number
}

interface Needles {
  add(name: string, spelling: string): void
  /** In the text as written. */
  find(text: string): readonly Find[]
  /** Also across white space. */
  findSplit(text: string): readonly Find[]
  /** Names of the finds of `findSplit`. */
  names(text: string): readonly string[]
  unfinished(text: string): number
}

/**
 * Maximum number of spellings, one per secret and form. Beyond it the oldest are dropped, so that rotation cannot fill the
 * memory.
 */
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

/** Length of the longest end of `text` that is a proper prefix of `spelling`. */
function overlap(text: string, spelling: string): number {
  const last = text.at(-1)?.toLowerCase()
  if (last === undefined) return 0
  for (let length = Math.min(text.length, spelling.length - 1); length > 0; length -= 1) {
    if (spelling[length - 1]?.toLowerCase() !== last) continue
    if (text.slice(-length).toLowerCase() === spelling.slice(0, length).toLowerCase()) return length
  }
  return 0
}

/** Hex and percent codes occur in both cases; the secret itself in one. */
function patternOf(spelling: string): RegExp {
  const source = spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return new RegExp(source, /^[0-9a-f]+$/.test(spelling) || spelling.includes('%') ? 'gi' : 'g')
}
