/**
 * Grants: what the owner recorded as allowed in advance, narrow, expiring and revocable (F-13, F-19, X-05). Plain data
 * without content: destinations stand as digests. Pure: `now` is an argument; uses are counted by the store. Called by
 * policy.ts and call-verdict.ts.
 */
import { type Atom, COLLAPSED_ORIGIN } from './label.ts'

/** Stands for the chat of whoever asks; the policy that a task sees names that chat instead. */
export const ASKER = 'reply_to_sender'

interface Standing {
  readonly id: string
  /** Only tasks of this template. */
  readonly template: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly revoked: boolean
  /** Uses a day (UTC). */
  readonly perDay: number
}

/** One tool of one template, to the same destinations, with the same arguments present (F-19). Never raw free text. */
export interface WriteGrant extends Standing {
  readonly kind: 'write'
  readonly tool: string
  readonly sink: string
  /** Names of the arguments, sorted. */
  readonly args: readonly string[]
  /** Digests of the destinations it may go to; a call with any other is not covered. */
  readonly destinations: readonly string[]
  /** What the token is scoped to, as `scopeOf` says it. */
  readonly scope: string
}

/** Named fields of one action's result, to one sink, for one template (F-13). */
export interface FieldGrant extends Standing {
  readonly kind: 'fields'
  readonly action: string
  readonly fields: readonly string[]
  /** A sink id, or `ASKER`. */
  readonly sink: string
  /** How far ahead a date may lie that is asked for, days. */
  readonly daysAhead: number
}

/**
 * Prompts of one template above `internal` may be read by cloud models (D-03, D-07). It is no flow of data to a sink and
 * no call, so nothing counts its uses. What is regulated it never covers.
 */
export interface CloudGrant extends Standing {
  readonly kind: 'cloud'
}

/**
 * What tasks of one template say may pass the edge into one chat of the owner's there, up to `sensitive` (DESIGN §1): one bot for
 * both lines. Nothing counts its uses. What is regulated it never covers.
 */
export interface TransportGrant extends Standing {
  readonly kind: 'transport'
  readonly sink: string
}

/** The owner's own words, to the same hosts, as the same arguments of one action. Each use is a recorded declassification (DESIGN §2). */
export interface DisclosureGrant extends Standing {
  readonly kind: 'disclosure'
  readonly tool: string
  /** Every host that the tool may reach, sorted. */
  readonly hosts: readonly string[]
  /** Names of the arguments that are told, sorted. */
  readonly args: readonly string[]
}

export type Grant = WriteGrant | FieldGrant | CloudGrant | TransportGrant | DisclosureGrant

/** One field of one source that passes one sink for one template: what the label check sees of a `FieldGrant`. */
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
}

export interface GrantQuery {
  readonly template: string
  readonly sink: string
  readonly now: number
}

/** What a write looks like to a grant: shape and digests, never a value. */
export interface WriteShape extends Pick<WriteGrant, 'tool' | 'sink' | 'args' | 'destinations' | 'scope'> {
  readonly template: string
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
      grant.expiresAt > query.now &&
      grant.template === query.template &&
      grant.sink === query.sink &&
      grant.origin === atom.origin &&
      grant.field === atom.field,
  )
}

/** A live grant for exactly this shape. The caller has made sure that no free text in it is anybody else's. */
export function findWriteGrant(grants: readonly WriteGrant[], shape: WriteShape): WriteGrant | undefined {
  return grants.find(
    (grant) =>
      grant.revoked === false &&
      grant.expiresAt > shape.now &&
      grant.template === shape.template &&
      grant.tool === shape.tool &&
      grant.sink === shape.sink &&
      grant.scope === shape.scope &&
      sameNames(grant.args, shape.args) &&
      shape.destinations.every((destination) => grant.destinations.includes(destination)),
  )
}

/** What telling a service words of the owner's looks like to a grant. */
export interface DisclosureShape extends Pick<DisclosureGrant, 'template' | 'tool' | 'hosts' | 'args'> {
  readonly now: number
}

/** A live grant for exactly these arguments, and for no host that it does not name. */
export function findDisclosureGrant(
  grants: readonly Grant[],
  shape: DisclosureShape,
): DisclosureGrant | undefined {
  return grants
    .filter((grant) => grant.kind === 'disclosure')
    .find(
      (grant) =>
        grant.revoked === false &&
        grant.expiresAt > shape.now &&
        grant.template === shape.template &&
        grant.tool === shape.tool &&
        sameNames(grant.args, shape.args) &&
        shape.hosts.every((host) => grant.hosts.includes(host)),
    )
}

/** Whether the owner's word on cloud models stands for this template. */
export function coversCloud(grants: readonly Grant[], template: string, now: number): boolean {
  return grants.some(
    (grant) =>
      grant.kind === 'cloud' &&
      grant.template === template &&
      grant.revoked === false &&
      grant.expiresAt > now,
  )
}

/** The grant field by field. */
export function flowGrantsOf(grant: FieldGrant): readonly FlowGrant[] {
  const { id, template, action, sink, expiresAt, revoked } = grant
  return grant.fields.map((field) => ({
    ...{ id, template, origin: `tool:${action}`, field, sink },
    ...{ expiresAt, revoked },
  }))
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}
