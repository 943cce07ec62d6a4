/**
 * Clearances of the two places, which decide where a task may run (DESIGN §1). Must
 * not know how a place is implemented. Called by route and by both shells.
 */
import type { Clearance } from './clearance.ts'
import { checkClearance } from './clearance.ts'
import type { Label } from './label.ts'
import { type Level, rankOf } from './level.ts'
import { denyOnThrow, type Verdict } from './verdict.ts'

export type Place = 'edge' | 'home'

/** Data: everything a task holds. Readers: the two machines. Rationale: the edge's provider can see the edge. */
export const PLACE_CLEARANCE: Readonly<Record<Place, Clearance>> = Object.freeze({
  edge: Object.freeze({ level: 'internal', compartments: Object.freeze([]) }),
  home: Object.freeze({ level: 'regulated', compartments: 'all' }),
})

export function checkPlace(place: Place, label: Label): Verdict {
  return denyOnThrow(() => checkClearance(PLACE_CLEARANCE[place], label, 'place_not_cleared'))
}

export interface PlacementRequest {
  /** The template's data ceiling. */
  readonly ceiling: Level
  /** The place that holds the chat's token. */
  readonly channel: Place
  /** Label of the event's text. */
  readonly label: Label
}

/** The place of a task, decided once, before extraction. A task placed at home never moves to the edge. */
export function placeFor(request: PlacementRequest): Place {
  const edge = PLACE_CLEARANCE.edge
  const fits = rankOf(request.ceiling) <= rankOf(edge.level) && checkPlace('edge', request.label).allow
  return fits && request.channel === 'edge' ? 'edge' : 'home'
}
