/**
 * Taint: how closely a value follows what an outsider wrote: raw, extracted or clean (S001 §4.4,
 * A join has the dirtiest level. Only `decayField` improves taint, for a declared
 * structured field, and only record.ts may import it (A-29; checked by the import test).
 */
import { err, ok, type Result } from './verdict.ts'

/** Dirtiest first; the position is the rank. */
export const TAINT_LEVELS = Object.freeze(['raw', 'extracted', 'clean'] as const)

export type TaintLevel = (typeof TAINT_LEVELS)[number]

export interface Taint {
  readonly level: TaintLevel
  /** Sources of the content, such as `tool:web.read`. Sorted, unique. */
  readonly origins: readonly string[]
  /** Components that processed it, in order, such as `extractor:message`. */
  readonly touchedBy: readonly string[]
}

/** Maximum names in a trail. A longer trail loses its middle, so that a loop cannot grow a task's state. */
const MAX_TRAIL = 32
/** Replaces the origins of a value that has more than `MAX_TRAIL` of them. */
const MANY_ORIGINS = 'many'
/** Maximum length of an origin's or component's name, UTF-16 units. Parsing from storage enforces it. */
const MAX_NAME = 200

export const CLEAN: Taint = Object.freeze({
  level: 'clean',
  origins: Object.freeze([]),
  touchedBy: Object.freeze([]),
})

export function taintOf(level: TaintLevel, origin: string): Taint {
  return freeze({ level, origins: [origin], touchedBy: [] })
}

/** The dirtiest level, all origins, all components. Joining nothing gives clean. */
export function joinTaints(...taints: readonly Taint[]): Taint {
  const first = taints[0]
  if (taints.length === 1 && first !== undefined) return first
  const level = TAINT_LEVELS.find((candidate) => taints.some((taint) => taint.level === candidate)) ?? 'clean'
  const origins = unique(taints.flatMap((taint) => taint.origins)).sort()
  const touchedBy = bounded(unique(taints.flatMap((taint) => taint.touchedBy)))
  return freeze({ level, origins: origins.length > MAX_TRAIL ? [MANY_ORIGINS] : origins, touchedBy })
}

export function touch(taint: Taint, hand: string): Taint {
  return taint.touchedBy.includes(hand)
    ? taint
    : freeze({ ...taint, touchedBy: bounded([...taint.touchedBy, hand]) })
}

/** Raw becomes extracted for one declared structured field. Clean stays clean. Only record.ts calls this. */
export function decayField(taint: Taint, extractor: string): Taint {
  return touch(taint.level === 'raw' ? freeze({ ...taint, level: 'extracted' }) : taint, extractor)
}

export function parseTaint(input: unknown): Result<Taint> {
  if (typeof input !== 'object' || input === null) return err('taint_malformed')
  const { level, origins, touchedBy } = input as Record<string, unknown>
  const known = TAINT_LEVELS.find((candidate) => candidate === level)
  if (known === undefined || !isTrail(origins) || !isTrail(touchedBy)) return err('taint_malformed')
  return ok(freeze({ level: known, origins: unique(origins).sort(), touchedBy: unique(touchedBy) }))
}

function isTrail(input: unknown): input is string[] {
  return (
    Array.isArray(input) &&
    input.length <= MAX_TRAIL &&
    input.every((name) => typeof name === 'string' && name.length > 0 && name.length <= MAX_NAME)
  )
}

/** Keeps both ends of a trail and drops its middle. */
function bounded(trail: readonly string[]): readonly string[] {
  const half = MAX_TRAIL / 2
  return trail.length > MAX_TRAIL ? [...trail.slice(0, half), ...trail.slice(-half)] : trail
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

function freeze(taint: Taint): Taint {
  return Object.freeze({
    level: taint.level,
    origins: Object.freeze([...taint.origins]),
    touchedBy: Object.freeze([...taint.touchedBy]),
  })
}
