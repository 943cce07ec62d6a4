/**
 * The five ordered levels of the lattice, and the compartments that narrow `regulated`.
 * Must not know about readers or data: only the order. Called by everything in `kernel/flow`.
 */
import { err, ok, type Result } from './verdict.ts'

/** Lowest to highest; the position is the rank (S001 §4.3, A-01). */
export const LEVELS = Object.freeze(['public', 'internal', 'sensitive', 'regulated', 'secret'] as const)

export type Level = (typeof LEVELS)[number]

/** A need-to-know set inside `regulated`, such as `health`. Lower-case word, at most 32 characters. */
export type Compartment = string & { readonly __brand: 'Compartment' }

const COMPARTMENT = /^[a-z][a-z0-9_]{0,31}$/

/** Throws on a level that was never parsed: whichever way it were ranked, one side of a check would fail open. */
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

/** Refuses every string that is not one of the five, in any case or with any space. */
export function parseLevel(input: unknown): Result<Level> {
  return isLevel(input) ? ok(input) : err('level_unknown')
}

export function parseCompartment(input: unknown): Result<Compartment> {
  return typeof input === 'string' && COMPARTMENT.test(input)
    ? ok(input as Compartment)
    : err('compartment_malformed')
}
