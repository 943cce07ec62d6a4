/**
 * What a place keeps, by noun: small stores, each of a handful of methods. A function of the kernel names those that it reads or writes, as
 * `StoreOf<TaskStore & Transactions>`. Types alone; every method is synchronous, because SQLite is at both places, and takes and returns
 * plain data. Implemented by integrations/store, joined in all-powers.ts.
 */
import type { Grant } from '../flow/grant.ts'
import type { Place } from '../flow/place.ts'
import type { Approval } from '../task/approval.ts'
import type { IdentityLink } from '../task/identity-link.ts'
import type { EffectRow, SealedRef, Task } from '../task/task.ts'
import type { Delivery } from './ports.ts'

/** The place's durable state, as far as somebody may touch it. */
export interface StoreOf<Part> {
  readonly store: Part
}

/** A grant with the sealed words that the owner said yes to. */
export interface StoredGrant {
  readonly grant: Grant
  readonly card: SealedRef
}

/** An identity link, with the sealed words that the owner said yes to once they did. */
export interface StoredLink {
  readonly link: IdentityLink
  readonly card: SealedRef | null
}

/** An approval with the sealed bytes that it is about. */
export interface AskedApproval {
  readonly approval: Approval
  readonly card: SealedRef
}

/** The same as it lies in the store. */
export interface StoredApproval extends AskedApproval {
  /** Counts from 1 in this store and is never used again; 0 for one that was over before there were numbers. */
  readonly number: number
}

export type AuditKind =
  | 'event_rejected'
  | 'task_created'
  | 'task_ended'
  | 'tool_invoked'
  | 'approval_asked'
  | 'approval_decided'
  | 'grant_changed'
  | 'grant_used'
  | 'identity_changed'
  | 'agreement_changed'
  | 'declassification'
  | 'egress'
  | 'denial'
  | 'credential_issued'
  | 'device_enrolled'
  | 'device_revoked'
  | 'model_called'
  | 'redaction'
  | 'secret_changed'
  | 'fault'
  | 'memory_changed'
  | 'directive_changed'
  | 'file_read'
  | 'restored'
  | 'boot'
  | 'pause_changed'
  | 'operation_called'

/** One audit line: ids, labels, codes and sizes. Never content. */
export interface AuditEvent {
  readonly at: number
  readonly place: Place
  readonly kind: AuditKind
  readonly trace: string | null
  readonly task: string | null
  readonly principal: string | null
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

/** A task and what is still to be done for it, oldest row first. */
export interface StoredTask {
  readonly task: Task
  readonly open: readonly EffectRow[]
}

/** A delivery at rest: its text is sealed, like everything else that is stored. */
export type OutboxRow = Omit<Delivery, 'text' | 'previews'> & { readonly text: SealedRef }

/** A transition is one transaction, so that a crash leaves either the old state or the new one. */
export interface Transactions {
  transaction<T>(work: () => T): T
}

export interface EventStore {
  /**
   * Records the id of an event that becomes no task of its own name, and gives it the principal's next turn number; null
   * for a second delivery (B-24).
   */
  admit(event: { readonly id: string; readonly principal: string; readonly at: number }): number | null
  /** One above the highest turn of this principal. Taken by the task that is added with it in the same transaction. */
  nextTurn(principal: string): number
}

export interface TaskStore {
  /** A new record with its rows; false when there is one of this id, which stays as it is. */
  addTask(task: Task, open: readonly EffectRow[]): boolean
  /** The record and its rows that are not done, in one statement: a transition is stored whole or not at all. */
  saveTask(task: Task, open: readonly EffectRow[]): void
  loadTask(id: string): Task | null
  /** The record with its open rows. */
  findTask(id: string): StoredTask | null
  /** Tasks that are not final, by principal, in turn order. */
  activeTasks(principal: string): readonly StoredTask[]
  activePrincipals(): readonly string[]
  /** Newest first. */
  recentTasks(principal: string, limit: number): readonly Task[]
}

export interface CapabilityUses {
  /** Counts one use of a capability; false when it was used up already. */
  countUse(capability: string, max: number): boolean
  uses(capability: string): number
}

export interface ApprovalStore {
  /** `card` is given once, when the approval is created. */
  saveApproval(approval: Approval, card: SealedRef | null): void
  loadApproval(id: string): StoredApproval | null
  /** The one that was given this number. */
  approvalNumbered(number: number): StoredApproval | null
  /** Pending ones, oldest first; of one principal, or all. */
  pendingApprovals(principal: string | null): readonly StoredApproval[]
  /** How many were asked since then (epoch ms), by reason. */
  askedSince(at: number): readonly { readonly reason: string; readonly count: number }[]
}

export interface GrantStore {
  /** Once: what was agreed to is not changed afterwards. */
  saveGrant(grant: Grant, card: SealedRef): void
  /** All, oldest first; those that ended among them. */
  grants(): readonly StoredGrant[]
  /** False when there is none that could be revoked. */
  revokeGrant(id: string, at: number): boolean
  /** Counts one use of today; false for one that is not live or used up. In a transaction of the caller's. */
  useGrant(id: string, now: number): boolean
}

export interface IdentityLinkStore {
  /** New, or a change of it; `card` is kept once it is given. */
  saveIdentityLink(link: IdentityLink, card: SealedRef | null): void
  /** All, oldest first; those that are over among them. */
  identityLinks(): readonly StoredLink[]
}

/** Writing the audit, which is no right to read it. */
export interface AuditLog {
  appendAudit(event: AuditEvent): void
}

export interface AuditTrail {
  /** Newest last. */
  auditOf(task: string): readonly AuditEvent[]
  /** From then on (epoch milliseconds), newest first, so many at most. */
  auditSince(at: number, most: number): readonly AuditEvent[]
}

/** Deliveries as they were sent; what a channel reads that is read by asking, such as the terminal's. */
export interface OutboxStore {
  /** Same id replaces. */
  putDelivery(row: OutboxRow): void
  /** Deliveries of a sink with a sequence number above `after`, oldest first. */
  deliveriesAfter(
    sink: string,
    after: number,
    limit: number,
  ): readonly (OutboxRow & { readonly seq: number })[]
  /** One of them by its id. */
  findDelivery(id: string): OutboxRow | null
  /** Newest first. */
  recentDeliveries(sink: string, limit: number): readonly OutboxRow[]
  /** The newest delivery of a task, for its report. */
  lastDelivery(task: string): OutboxRow | null
}
