/**
 * Grants: what the owner recorded as allowed in advance, narrow, expiring and revocable (F-13, X-05).
 * A flow grant lets one field of one source pass one sink for one template. Pure: `now` is an argument.
 */
import { type Atom, COLLAPSED_ORIGIN } from './label.ts'

export interface FlowGrant {
  readonly id: string
  readonly template: string
  /** Exact origin and field of the atom that may pass, such as `tool:calendar.freebusy` / `slots[].busy`. */
  readonly origin: string
  readonly field: string
  readonly sink: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly revoked: boolean
  /** Uses left today; zero refuses. Counted down by the store that recorded it. */
  readonly remaining: number
}

/** Where a write may go without asking: one tool of one template to one destination (F-19). */
export interface DestinationGrant {
  readonly id: string
  readonly template: string
  readonly tool: string
  readonly destination: string
  readonly expiresAt: number
  readonly revoked: boolean
}

export interface GrantQuery {
  readonly template: string
  readonly sink: string
  readonly now: number
}

/** A live grant for exactly this template, field and sink. Secret and regulated atoms are never granted (F-14). */
export function findFlowGrant(
  grants: readonly FlowGrant[],
  atom: Atom,
  query: GrantQuery,
): FlowGrant | undefined {
  if (atom.level === 'secret' || atom.level === 'regulated' || atom.compartment !== null) return undefined
  if (atom.origin === COLLAPSED_ORIGIN) return undefined
  return grants.find(
    (grant) =>
      grant.revoked === false &&
      grant.remaining > 0 &&
      grant.expiresAt > query.now &&
      grant.template === query.template &&
      grant.sink === query.sink &&
      grant.origin === atom.origin &&
      grant.field === atom.field,
  )
}
