/**
 * The five ordered levels of the lattice, and the compartments that narrow `regulated`. Must not know readers or data. Called
 * by everything in `kernel/flow`.
 */
import { err, ok, type Result } from './verdict.ts'

/** Lowest to highest; the position is the rank (S001 §4.3, A-01). */
export const LEVELS = Object.freeze(['public', 'internal', 'sensitive', 'regulated', 'secret'] as const)

export type Level = (typeof LEVELS)[number]

/** A need-to-know set within `regulated`, such as `health`. A lower-case word of at most 32 characters. */
export type Compartment = string & { readonly __brand: 'Compartment' }

const COMPARTMENT = /^[a-z][a-z0-9_]{0,31}$/

/** Rank of a level. Throws on an unparsed level: any rank for it would make one side of a check fail open. */
export function rankOf(level: Level): number {
  const rank = LEVELS.indexOf(level)
  if (rank < 0) throw new TypeError('a level outside the five was never parsed')
  return rank
}

/** Total order: negative when `a` is below `b`, zero when equal. */
export function compareLevels(a: Level, b: Level): number {
  return rankOf(a) - rankOf(b)
}

export function maxLevel(a: Level, b: Level): Level {
  return rankOf(a) >= rankOf(b) ? a : b
}

export function isLevel(input: unknown): input is Level {
  return typeof input === 'string' && (LEVELS as readonly string[]).includes(input)
}

/** Refuses every string but the five names, exactly as written. */
export function parseLevel(input: unknown): Result<Level> {
  return isLevel(input) ? ok(input) : err('level_unknown')
}

export function parseCompartment(input: unknown): Result<Compartment> {
  return typeof input === 'string' && COMPARTMENT.test(input)
    ? ok(input as Compartment)
    : err('compartment_malformed')
}
