/**
 * Approvals: the owner's *yes* to exactly these bytes, once, within a time limit (F-03 – F-06,
 * F-09). Without an answer, nothing is approved. Pure transitions on plain records; storage and
 * cards are elsewhere. Must not look at content. Called by authorize, invoke and the shell.
 */

import { digestOf } from '../flow/digest.ts'
import type { Json } from '../flow/json.ts'
import { describeLabel, type Label } from '../flow/label.ts'
import { checkPlace, type Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { ReasonCode } from '../reasons.ts'
import { OWNER_PRINCIPAL } from './principal.ts'
import type { ProposedChange } from './proposed-change.ts'

/**
 * `replaced`: the owner edited the text, which is asked about under another id (F-11). `withdrawn`: the message that
 * caused it was edited, and its new text is asked about separately.
 */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'spent' | 'replaced' | 'withdrawn'

export interface Approval {
  readonly id: string
  readonly kind: ApprovalKind
  /** Empty for a change that the owner proposed, which belongs to no task. */
  readonly task: string
  readonly step: string
  /** Template of the task; empty if there is none. */
  readonly template: string
  readonly principal: string
  readonly tool: string
  /** Sink of the write, or the task's own sink. */
  readonly sink: string
  /** SHA-256 over canonical tool, arguments, sink and the form of a key that is sent with the call, hex (F-04). */
  readonly digest: string
  /** Reason code of the question. */
  readonly reason: string
  /** `describeLabel` of the arguments. */
  readonly label: string
  /** Place that may approve. Data of level `sensitive` and above may only be approved at home (DESIGN §1). */
  readonly place: Place
  /** Id of the sealed card, which shows the exact bytes that will run. */
  readonly card: string
  readonly state: ApprovalState
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  /** Place through which the decision came. */
  readonly decidedFrom: Place | null
  /** The rule change that an approval makes; null for a call. */
  readonly change: ProposedChange | null
  /** Message in which the owner proposed the change. The approval must come in another message (F-17). */
  readonly message: string | null
  /** When the card was sent; null while it waits for a bundle. */
  readonly toldAt: number | null
  /** How many options a clarification has; null for any other kind. */
  readonly options: number | null
  /** The option that the owner chose, from 1. */
  readonly choice: number | null
  /** For a call approved for a later time: that time, epoch milliseconds; null for a call that runs at once. */
  readonly due: number | null
}

/** Default time to answer, milliseconds (F-05). */
export const APPROVAL_TIMEOUT = 300_000

/** How long an approval may stay unspent, milliseconds. After a longer outage the owner is asked again. */
export const APPROVAL_SPEND_WINDOW = 300_000

/** How long after its time a scheduled call may still run, milliseconds. After that the owner is asked again. */
export const LATE_AT_MOST = 2 * 3_600_000

type ApprovalRequest = Pick<
  Approval,
  'id' | 'task' | 'step' | 'principal' | 'tool' | 'sink' | 'digest' | 'card'
> & {
  readonly reason: ReasonCode
  /** Label of the arguments. Determines the place that may approve. */
  readonly label: Label
  readonly now: number
  /** Milliseconds; `APPROVAL_TIMEOUT` unless configured otherwise (F-05). */
  readonly timeout?: number
  /** Defaults to the kind that follows from the reason. */
  readonly kind?: ApprovalKind
  readonly template?: string
  readonly change?: ProposedChange
  readonly message?: string
  /** Number of options of a clarification. */
  readonly options?: number
  /** False while it waits for a bundle. */
  readonly told?: boolean
  /**
   * Place whose own configuration a change is about, which must be cleared for it.
   * Absent: home, which all other changes belong to.
   */
  readonly of?: Place
}

/** A pending approval. Data above the edge's clearance can be approved at home only. */
export function createApproval(request: ApprovalRequest): Approval {
  const { label, now, timeout = APPROVAL_TIMEOUT, ...rest } = request
  const {
    kind = kindOf(request.reason),
    template = '',
    change = null,
    message = null,
    options = null,
  } = request
  const { told = true, of = 'home', ...bound } = rest
  return Object.freeze({
    ...bound,
    ...{ kind, template, change, message, options, choice: null, toldAt: told ? now : null },
    label: describeLabel(label),
    // Rule changes are approved at home only, whatever their label (DESIGN §1). Exception: a job that the edge itself
    // runs.
    place: (!widens(kind) || of === 'edge') && checkPlace('edge', label).allow ? 'edge' : 'home',
    state: 'pending',
    createdAt: now,
    expiresAt: now + timeout,
    decidedAt: null,
    decidedBy: null,
    decidedFrom: null,
    due: null,
  })
}

export interface Decision {
  readonly principal: string
  /** Place through which the decision came. */
  readonly place: Place
  readonly decision: 'approve' | 'deny'
  /** Number of the chosen option, from 1; required for a *yes* to a clarification, and refused for any other. */
  readonly choice?: number | null
  /** Id of the message with the answer. Required for a kind that widens (F-17). */
  readonly message?: string
  readonly now: number
}

/** A decision at intake: with the approval's id, without a time. */
export interface DecisionInput extends Omit<Decision, 'now'> {
  /**
   * Id or number of a card, the name of one that covers several, or of one option of a clarification
   * (approvals/waiting.ts).
   */
  readonly approval: string
}

/**
 * Records the owner's answer. Refusals: approval_wrong_principal; approval_expired; approval_spent or
 * approval_denied when decided otherwise before; approval_place_too_low for a *yes* from a place that is not cleared
 * for the arguments (a *no* may come from either place, since it releases nothing); approval_step_up for a *yes* to
 * a kind that widens, in the message that proposed it or in an unknown one (F-17); credential_missing for a *yes*
 * where a credential is asked for; choice_missing for a *yes* to a clarification that names none of its options, and
 * approval_unknown for an option of an approval that has none. The same answer by the same principal through the
 * same place returns the same record, so that a client whose reply was lost may repeat it without effect.
 */
export function decide(approval: Approval, decision: Decision): Result<Approval> {
  const facts = { approval: approval.id }
  if (decision.principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal', facts)
  if (isRepeated(approval, decision)) return ok(approval)
  if (approval.state !== 'pending') return err(CLOSED[approval.state], facts)
  if (decision.now >= approval.expiresAt) return err('approval_expired', facts)
  const approves = decision.decision === 'approve'
  if (approves && approval.place === 'home' && decision.place !== 'home')
    return err('approval_place_too_low', { ...facts, label: approval.label })
  if (approves && approval.kind === 'credential') return err('credential_missing', facts)
  const { choice = null } = decision
  if (choice !== null && approval.options === null) return err('approval_unknown', facts)
  if (approves && approval.options !== null && !isOption(choice, approval.options))
    return err('choice_missing', { ...facts, options: approval.options })
  if (approves && widens(approval.kind) && !isAnother(decision.message, approval.message))
    return err('approval_step_up', facts)
  return ok(
    Object.freeze({
      ...approval,
      state: approves ? 'approved' : 'denied',
      decidedAt: decision.now,
      decidedBy: decision.principal,
      choice: approves ? choice : null,
      decidedFrom: decision.place,
    }),
  )
}

function isOption(choice: number | null, options: number): choice is number {
  return choice !== null && choice >= 1 && choice <= options
}

/** Proposal and approval in one message could be a single careless or forged line. */
function isAnother(message: string | undefined, proposedIn: string | null): boolean {
  return message !== undefined && message !== '' && proposedIn !== null && message !== proposedIn
}

/** The owner edited the text (F-11). Refuses like a *yes*, since it decides what may run. */
export function replace(approval: Approval, decision: Decision): Result<Approval> {
  const decided = decide(approval, { ...decision, decision: 'approve' })
  if (!decided.ok) return decided
  if (decided.value === approval) return err('approval_spent', { approval: approval.id })
  return ok(Object.freeze({ ...decided.value, state: 'replaced' }))
}

function isRepeated({ state, decidedBy, decidedFrom, choice }: Approval, again: Decision): boolean {
  const decided = state === 'approved' || state === 'spent' ? 'approve' : state === 'denied' ? 'deny' : null
  if (decided === 'approve' && choice !== (again.choice ?? null)) return false
  return decided === again.decision && decidedBy === again.principal && decidedFrom === again.place
}

export interface Spending {
  readonly digest: string
  readonly task: string
  readonly step: string
  readonly now: number
}

/**
 * Spends an approval on exactly the call it was given for. Refusals: approval_unknown for another task or step;
 * write_approval_required while undecided; approval_denied, approval_expired, approval_spent; approval_changed when tool,
 * arguments or sink are not the bytes that were shown (F-04).
 */
export function spend(approval: Approval, spending: Spending): Result<Approval> {
  const facts = { approval: approval.id }
  if (approval.task !== spending.task || approval.step !== spending.step)
    return err('approval_unknown', facts)
  if (approval.state === 'pending') return err('write_approval_required', facts)
  if (approval.state !== 'approved') return err(CLOSED[approval.state], facts)
  const { decidedAt, due } = approval
  if (decidedAt === null || spending.now >= spendableUntil(approval)) return err('approval_expired', facts)
  if (due !== null && spending.now < due) return err('approval_not_due', facts)
  if (approval.digest !== spending.digest) return err('approval_changed', facts)
  return ok(Object.freeze({ ...approval, state: 'spent' }))
}

/** Time at which an unspent approval expires, epoch milliseconds. */
export function spendableUntil({ decidedAt, due }: Approval): number {
  return Math.max(decidedAt ?? 0, due ?? 0) + (due === null ? APPROVAL_SPEND_WINDOW : LATE_AT_MOST)
}

/** Expires a pending approval whose time is over; otherwise returns the same record. */
export function expire(approval: Approval, now: number): Approval {
  const due = approval.state === 'pending' && now >= approval.expiresAt
  return due ? Object.freeze({ ...approval, state: 'expired' }) : approval
}

/** Withdraws a pending approval; returns a decided one unchanged. */
export function withdraw(approval: Approval, now: number): Approval {
  if (approval.state !== 'pending') return approval
  return Object.freeze({ ...approval, state: 'withdrawn', decidedAt: now })
}

/**
 * Digest that an approval is bound to (F-04). `along`: digest of the form of the
 * owner's key that is sent with the call; absent if no key is sent.
 */
export function approvalDigest(call: {
  readonly tool: string
  readonly args: Json
  readonly sink: string
  readonly along?: string
}): string {
  const { tool, args, sink, along } = call
  return digestOf({ tool, args, sink, ...(along !== undefined && { along }) })
}

/** Display name of a rule change in lists of approvals. No tool has such a name. */
export function toolOf(change: ProposedChange): string {
  return `admin.${change.do}`
}

/** Digest that the approval of a change is bound to. */
export function changeDigest(change: ProposedChange, sink: string): string {
  return approvalDigest({ tool: toolOf(change), args: JSON.parse(JSON.stringify(change)) as Json, sink })
}

/** Refusal code for a decision on an approval that is already closed. */
const CLOSED = Object.freeze({
  approved: 'approval_spent',
  spent: 'approval_spent',
  denied: 'approval_denied',
  expired: 'approval_expired',
  replaced: 'approval_changed',
  withdrawn: 'approval_withdrawn',
} as const)

/**
 * `tainted_write`: a call whose bytes are not all the owner's. `declassification`: a call that gives a reader more than
 * its clearance, once. `identity_link`, `cloud_opt_in`, `admin_change`: a rule change. `choice`: which of two ways to
 * continue; fits no call and widens nothing. `plan`: whether a plan may begin; fits no call either. `clarification`:
 * which of several is meant; its answer is a number, and fits no call. `credential`: access to a service; approved only
 * by a working value, never by words (L-12).
 */
export type ApprovalKind =
  | 'tainted_write'
  | 'declassification'
  | 'identity_link'
  | 'cloud_opt_in'
  | 'admin_change'
  | 'choice'
  | 'plan'
  | 'clarification'
  | 'credential'

/** Reason codes about who will be able to read the data. Approving such a question lets one value pass, once (F-12). */
const LOWERING: readonly ReasonCode[] = [
  'write_down',
  'sink_unknown',
  'compartment_missing',
  'sink_not_in_allow_list',
  'write_unknown_destination',
  'disclosure_asks',
]

function kindOf(reason: ReasonCode): ApprovalKind {
  return LOWERING.includes(reason) ? 'declassification' : 'tainted_write'
}

/** Kinds whose approval permanently widens who may do or read something. They are asked twice, in two messages (F-17). */
export function widens(kind: ApprovalKind): boolean {
  return kind === 'identity_link' || kind === 'cloud_opt_in' || kind === 'admin_change'
}
