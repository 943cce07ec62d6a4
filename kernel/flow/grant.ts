/**
 * Grants: what the owner allowed in advance; narrow, expiring and revocable (F-13, F-19, X-05). Plain data without content:
 * destinations are digests. Pure: `now` is an argument, and the store counts uses. Called by policy.ts and call-verdict.ts.
 */
import { type Atom, COLLAPSED_ORIGIN, type Label } from './label.ts'
import { type Compartment, compareLevels, type Level } from './level.ts'

/** Placeholder for the chat of whoever asks. The policy that a task sees names the actual chat instead. */
export const ASKER = 'reply_to_sender'

interface Standing {
  readonly id: string
  /** Applies only to tasks of this template. */
  readonly template: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly revoked: boolean
  /** Maximum uses per day (UTC). */
  readonly perDay: number
}

/** One tool of one template, to the same destinations, with the same set of arguments (F-19). Never covers raw free text. */
export interface WriteGrant extends Standing {
  readonly kind: 'write'
  readonly tool: string
  readonly sink: string
  /** Argument names, sorted. */
  readonly args: readonly string[]
  /** Digests of the allowed destinations. A call with any other destination is not covered. */
  readonly destinations: readonly string[]
  /** Token scope, as `scopeOf` formats it. */
  readonly scope: string
}

/** Named fields of one action's result, to one sink, for one template (F-13). */
export interface FieldGrant extends Standing {
  readonly kind: 'fields'
  readonly action: string
  readonly fields: readonly string[]
  /** A sink id, or `ASKER`. */
  readonly sink: string
  /** How many days ahead a requested date may lie. */
  readonly daysAhead: number
}

/**
 * Cloud models may read prompts of one template above `internal` (D-03, D-07). Uses are not counted, because it is neither a
 * flow to a sink nor a call. Never covers `regulated`.
 */
export interface CloudGrant extends Standing {
  readonly kind: 'cloud'
  /** Limits the grant to the runs of this job. */
  readonly job?: string
}

/**
 * Answers of one template's tasks may pass through the edge into one of the owner's chats there, up to `sensitive` (DESIGN §1):
 * one bot for both lines. Uses are not counted. Never covers `regulated`.
 */
export interface TransportGrant extends Standing {
  readonly kind: 'transport'
  readonly sink: string
}

/**
 * The edge may know the due times of reminders of the owner's private lines: times only, and only for
 * reminders up to `sensitive` and without a compartment (DESIGN §9). Uses are not counted. Covers no text.
 */
export interface DueTimesGrant extends Standing {
  readonly kind: 'due_times'
}

/**
 * The owner's own words, as the same arguments of one action, to the same hosts. Each use is a recorded declassification
 * (DESIGN §2).
 */
export interface DisclosureGrant extends Standing {
  readonly kind: 'disclosure'
  readonly tool: string
  /** Every host that the tool may reach, sorted. */
  readonly hosts: readonly string[]
  /** Names of the disclosed arguments, sorted. */
  readonly args: readonly string[]
}

/**
 * One of the owner's own chats at home may show data of this compartment. Uses are not counted. Never raises the chat's
 * level, and never covers another compartment or plain `regulated`.
 */
export interface CompartmentGrant extends Standing {
  readonly kind: 'compartment'
  readonly compartment: Compartment
  readonly sink: string
}

/**
 * One job's output may be appended to one target that only the owner's readers see: the only grant that covers raw
 * free text (DESIGN §3, X-18). Bound to what the job reads, to the tool, and to the looked-up facts of the target.
 */
export interface AppendGrant extends Standing {
  readonly kind: 'append'
  readonly tool: string
  readonly sink: string
  /** Argument names, sorted. */
  readonly args: readonly string[]
  readonly job: string
  /** Digest of what the job reads; another plan counts as another job. */
  readonly reads: string
  /** Digest of the looked-up facts of the target: id, name, place, kind and readers. */
  readonly target: string
  /** Highest level that the job could read when the grant was made. Data above it is asked about. */
  readonly level: Level
}

/**
 * Lets one template's writes by the named actions run without asking, if their arguments
 * contain no text and the owner named the destination. Answers only the template's
 * rule to ask for every write: raw data, text of others and an unknown destination still ask.
 */
export interface UnaskedGrant extends Standing {
  readonly kind: 'unasked'
  /** Actions, sorted. */
  readonly tools: readonly string[]
}

export type Grant =
  | WriteGrant
  | FieldGrant
  | CloudGrant
  | TransportGrant
  | DueTimesGrant
  | DisclosureGrant
  | CompartmentGrant
  | AppendGrant
  | UnaskedGrant

/** One field of one source that may pass one sink for one template: the label check's view of a `FieldGrant`. */
export interface FlowGrant {
  readonly id: string
  readonly template: string
  /** Exact origin and field of the permitted atom, such as `tool:calendar.freebusy` / `slots[].busy`. */
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

/** A write as grants see it: shape and digests, never a value. */
export interface WriteShape extends Pick<WriteGrant, 'tool' | 'sink' | 'args' | 'destinations' | 'scope'> {
  readonly template: string
  readonly now: number
}

/** Whether the grant is of this template, not revoked and not expired. A grant that cannot be read is not live. */
function isLive(
  grant: Pick<Standing, 'revoked' | 'expiresAt'> & { readonly template: string },
  { template, now }: { readonly template: string; readonly now: number },
): boolean {
  return grant.revoked === false && grant.expiresAt > now && grant.template === template
}

/** A live grant for exactly this template, field and sink. Never matches secret or regulated atoms (F-14). */
export function findFlowGrant(
  grants: readonly FlowGrant[],
  atom: Atom,
  query: GrantQuery,
): FlowGrant | undefined {
  if (atom.level === 'secret' || atom.level === 'regulated' || atom.compartment !== null) return undefined
  if (atom.origin === COLLAPSED_ORIGIN) return undefined
  return grants.find(
    (grant) =>
      isLive(grant, query) &&
      grant.sink === query.sink &&
      grant.origin === atom.origin &&
      grant.field === atom.field,
  )
}

/** A live grant for exactly this shape. The caller must have checked that all free text in the call is the owner's. */
export function findWriteGrant(grants: readonly WriteGrant[], shape: WriteShape): WriteGrant | undefined {
  return grants.find(
    (grant) =>
      isLive(grant, shape) &&
      grant.tool === shape.tool &&
      grant.sink === shape.sink &&
      grant.scope === shape.scope &&
      sameNames(grant.args, shape.args) &&
      shape.destinations.every((destination) => grant.destinations.includes(destination)),
  )
}

/** The append of a job's output as grants see it. */
export interface AppendShape
  extends Pick<AppendGrant, 'template' | 'tool' | 'sink' | 'args' | 'job' | 'reads' | 'target'> {
  readonly label: Label
  readonly now: number
}

/**
 * A live grant for exactly this job, tool and target. Never covers a compartment,
 * `regulated`, `secret`, or data above the grant's level.
 */
export function findAppendGrant(grants: readonly Grant[], shape: AppendShape): AppendGrant | undefined {
  return grants
    .filter((grant) => grant.kind === 'append')
    .find(
      (grant) =>
        isLive(grant, shape) &&
        grant.job === shape.job &&
        grant.reads === shape.reads &&
        grant.tool === shape.tool &&
        grant.sink === shape.sink &&
        grant.target === shape.target &&
        sameNames(grant.args, shape.args) &&
        shape.label.atoms.every(
          ({ level, compartment }) =>
            compartment === null &&
            compareLevels(level, 'sensitive') <= 0 &&
            compareLevels(level, grant.level) <= 0,
        ),
    )
}

/** A disclosure of the owner's words as grants see it. */
export interface DisclosureShape extends Pick<DisclosureGrant, 'template' | 'tool' | 'hosts' | 'args'> {
  readonly now: number
}

/** A live grant for exactly these arguments whose hosts include every host of the call. */
export function findDisclosureGrant(
  grants: readonly Grant[],
  shape: DisclosureShape,
): DisclosureGrant | undefined {
  return grants
    .filter((grant) => grant.kind === 'disclosure')
    .find(
      (grant) =>
        isLive(grant, shape) &&
        grant.tool === shape.tool &&
        sameNames(grant.args, shape.args) &&
        shape.hosts.every((host) => grant.hosts.includes(host)),
    )
}

/** Whether a live cloud grant exists for this template, or for this job of it. `job` is null for a task of no job. */
export function coversCloud(
  grants: readonly Grant[],
  { template, job, now }: { readonly template: string; readonly job: string | null; readonly now: number },
): boolean {
  return grants.some(
    (grant) =>
      grant.kind === 'cloud' &&
      isLive(grant, { template, now }) &&
      (grant.job === undefined || grant.job === job),
  )
}

/** A live grant for writes of this template by this action. The caller has checked that no other question is open. */
export function findUnaskedGrant(
  grants: readonly Grant[],
  { template, tool, now }: Pick<WriteShape, 'template' | 'tool' | 'now'>,
): UnaskedGrant | undefined {
  return grants
    .filter((grant) => grant.kind === 'unasked')
    .find((grant) => isLive(grant, { template, now }) && grant.tools.includes(tool))
}

/** Splits the grant into one flow grant per field. */
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
