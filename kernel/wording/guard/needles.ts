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
  /** Finds in the text as written. */
  find(text: string): readonly Find[]
  /** Finds across white space as well. */
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

/** Minimum UTF-16 units of a long spelling, such as a key or token; the few shorter ones are searched individually. */
const LONG = 16
/** UTF-16 units of the pieces that are looked up in a text. */
const PIECE = 6

/**
 * Tells quickly whether a text may contain one of many long spellings. Every occurrence of a spelling covers
 * a piece that begins at a multiple of LONG - PIECE + 1, so only those pieces of the text are looked up.
 */
function createSieve(): {
  add(spelling: string): void
  /** Replaces all spellings by these. */
  renew(spellings: readonly string[]): void
  mayHold(text: string): boolean
} {
  const pieces = new Set<number>()
  const add = (spelling: string): void => {
    for (let at = 0; at <= spelling.length - PIECE; at += 1) pieces.add(pieceOf(spelling, at))
  }
  return {
    add,
    renew(spellings) {
      pieces.clear()
      for (const spelling of spellings) add(spelling)
    },
    mayHold(text) {
      for (let at = 0; at <= text.length - PIECE; at += LONG - PIECE + 1)
        if (pieces.has(pieceOf(text, at))) return true
      return false
    },
  }
}

/**
 * Hash of the piece at this position, equal for pieces that differ only in the case of
 * letters, which some patterns ignore. On a collision each spelling is searched.
 */
function pieceOf(text: string, from: number): number {
  let sum = 0
  for (let at = from; at < from + PIECE; at += 1) {
    const unit = text.charCodeAt(at)
    const isSmall = unit >= 97 && unit <= 122
    sum = (sum * 31 + (unit > 127 ? 128 : isSmall ? unit - 32 : unit)) | 0
  }
  return sum
}

export function createNeedles(): Needles {
  const known = new Map<string, Needle>()
  const sieve = createSieve()
  const short = new Map<string, Needle>()
  let dropped = 0
  const find = (text: string): readonly Find[] => {
    const found: Find[] = []
    for (const { name, pattern } of (sieve.mayHold(text) ? known : short).values())
      for (const { 0: hit, index } of text.matchAll(pattern))
        found.push({ name, start: index, end: index + hit.length })
    return found
  }
  const findSplit = (text: string): readonly Find[] => {
    const squeezed = squeeze(text)
    if (squeezed.text.length === text.length) return find(text)
    const split = find(squeezed.text).map((span) => ({ ...span, ...unsqueeze(squeezed, span) }))
    return [...find(text), ...split]
  }
  return {
    add(name, spelling) {
      if (known.size >= MAX_SPELLINGS) {
        const oldest = known.keys().next().value ?? ''
        known.delete(oldest)
        short.delete(oldest)
        dropped += 1
        // The pieces of dropped spellings are removed once per MAX_SPELLINGS drops.
        if (dropped % MAX_SPELLINGS === 0)
          sieve.renew([...known.keys()].filter(({ length }) => length >= LONG))
      }
      const needle = { name, pattern: patternOf(spelling) }
      known.set(spelling, needle)
      if (spelling.length < LONG) short.set(spelling, needle)
      else sieve.add(spelling)
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
