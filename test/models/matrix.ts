/**
 * The routing matrix (D-01 – D-06): who may read what, written down a second time and independently of the router, as the
 * table of S001 §11.1 has it. Read by the table test and by the test on the wire.
 */
import { type Compartment, LEVELS, type Level } from '../../kernel/flow/level.ts'
import type { Place } from '../../kernel/flow/place.ts'

export const READERS = ['anthropic', 'openai', 'local', 'rules'] as const
export type Reader = (typeof READERS)[number]

/** What a prompt holds: the five levels, and health, which is regulated by a compartment. */
export const GUARDS = [...LEVELS, 'health'] as const
export type Guard = (typeof GUARDS)[number]

export const HEALTH = 'health' as Compartment

export interface Row {
  readonly ceiling: Exclude<Guard, 'secret'>
  readonly guard: Guard
  readonly acknowledged: boolean
  readonly place: Place
  /** Whether home is there, with the model that runs in it. */
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

/** Who may read it, in order of preference. Four sentences, and nothing of the router's own terms. */
export function mayRead({ ceiling, guard, acknowledged, place, home }: Row): readonly Reader[] {
  // A secret is read by nobody.
  if (guard === 'secret') return []
  // At the edge nothing above internal is read by anybody, and the owner's own model is one that home lends.
  if (place === 'edge') {
    if (PRIVATE.includes(guard)) return []
    const lent: readonly Reader[] = home ? ['local'] : []
    if (REGULATED.includes(ceiling)) return lent
    return PRIVATE.includes(ceiling) ? [...lent, 'rules'] : ['anthropic', 'openai', ...lent, 'rules']
  }
  // What is regulated, or of a task for it, stays in the house whatever was said.
  if (REGULATED.includes(guard) || REGULATED.includes(ceiling)) return ['local', 'rules']
  // What is private leaves the house by the owner's word alone.
  const leaves = acknowledged || !(PRIVATE.includes(guard) || PRIVATE.includes(ceiling))
  return leaves ? READERS : ['local', 'rules']
}

/** The label of a level, or of the compartment that is regulated by itself. */
export function atomOf(guard: Guard): { readonly level: Level; readonly compartment: Compartment | null } {
  return guard === 'health'
    ? { level: 'regulated', compartment: HEALTH }
    : { level: guard, compartment: null }
}
