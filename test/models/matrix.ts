/**
 * The routing matrix (D-01 – D-06): who may read what, written a second time and independently of the router, from the table of
 * S001 §11.1. Used by the table test and by the test on the wire.
 */
import { type Compartment, LEVELS, type Level } from '../../kernel/flow/level.ts'
import type { Place } from '../../kernel/flow/place.ts'

export const READERS = ['anthropic', 'openai', 'local', 'rules'] as const
export type Reader = (typeof READERS)[number]

/** What a prompt holds: the five levels, and health, which its compartment makes regulated. */
export const GUARDS = [...LEVELS, 'health'] as const
export type Guard = (typeof GUARDS)[number]

export const HEALTH = 'health' as Compartment

export interface Row {
  readonly ceiling: Exclude<Guard, 'secret'>
  readonly guard: Guard
  readonly acknowledged: boolean
  readonly place: Place
  /** Whether home is connected, with its local model. */
  readonly home: boolean
}

export const ROWS: readonly Row[] = GUARDS.filter((ceiling) => ceiling !== 'secret').flatMap((ceiling) =>
  GUARDS.flatMap((guard) =>
    [false, true].flatMap((acknowledged) =>
      (
        [
          ['home', true],
          ['edge', true],
          ['edge', false],
        ] as const
      ).map(([place, home]) => ({ ceiling, guard, acknowledged, place, home })),
    ),
  ),
)

export function nameOf({ ceiling, guard, acknowledged, place, home }: Row): string {
  const consent = acknowledged ? 'acknowledged' : 'not acknowledged'
  return `${guard} under a ceiling of ${ceiling}, ${consent}, at the ${place}${home ? '' : ' without home'}`
}

const PRIVATE: readonly Guard[] = ['sensitive', 'regulated', 'secret', 'health']
const REGULATED: readonly Guard[] = ['regulated', 'health']

/** Models that may read it, in order of preference. Four rules, in none of the router's own terms. */
export function mayRead({ ceiling, guard, acknowledged, place, home }: Row): readonly Reader[] {
  // No model reads a secret.
  if (guard === 'secret') return []
  // At the edge no model reads anything above internal, and the local model is the one that home offers.
  if (place === 'edge') {
    if (PRIVATE.includes(guard)) return []
    const lent: readonly Reader[] = home ? ['local'] : []
    if (REGULATED.includes(ceiling)) return lent
    return PRIVATE.includes(ceiling) ? [...lent, 'rules'] : ['anthropic', 'openai', ...lent, 'rules']
  }
  // Regulated data, and tasks with that ceiling, stay on the owner's machine whatever was acknowledged.
  if (REGULATED.includes(guard) || REGULATED.includes(ceiling)) return ['local', 'rules']
  // Private data leaves the owner's machine only with the owner's acknowledgement.
  const leaves = acknowledged || !(PRIVATE.includes(guard) || PRIVATE.includes(ceiling))
  return leaves ? READERS : ['local', 'rules']
}

/** The label of a level, or of the compartment that is regulated. */
export function atomOf(guard: Guard): { readonly level: Level; readonly compartment: Compartment | null } {
  return guard === 'health'
    ? { level: 'regulated', compartment: HEALTH }
    : { level: guard, compartment: null }
}
