/**
 * The stores of a place, by noun, each with a handful of methods. A kernel function names those it reads or writes, as
 * `StoreOf<TaskStore & Transactions>`. Types only; every method is synchronous, because both places use SQLite, and takes and
 * returns plain data. Implemented by integrations/store, joined in all-powers.ts.
 */
import type { Grant } from '../flow/grant.ts'
import type { Label } from '../flow/label.ts'
import type { Place } from '../flow/place.ts'
import type { Approval } from '../task/approval.ts'
import type { IdentityLink } from '../task/identity-link.ts'
import type { EffectRow, SealedRef, Task } from '../task/task.ts'
import type { Delivery } from './ports.ts'

/** The parts of the durable state that a function may use. */
export interface StoreOf<Part> {
  readonly store: Part
}

/** A grant, with the sealed card that the owner approved. */
export interface StoredGrant {
  readonly grant: Grant
  readonly card: SealedRef
}

/** An identity link, with the sealed card once the owner approved it. */
export interface StoredLink {
  readonly link: IdentityLink
  readonly card: SealedRef | null
}

/** An approval, with the sealed bytes that it is about. */
export interface AskedApproval {
  readonly approval: Approval
  readonly card: SealedRef
}

/** The approval as stored, with its number. */
export interface StoredApproval extends AskedApproval {
  /** Counts from 1 in this store and is never reused; 0 for an approval that was closed before numbers existed. */
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

/** A task and its open effect rows, oldest first. */
export interface StoredTask {
  readonly task: Task
  readonly open: readonly EffectRow[]
}

/** A delivery at rest. Its text is sealed. */
export type OutboxRow = Omit<Delivery, 'text' | 'previews'> & { readonly text: SealedRef }

/** Every transition is one transaction, so that a crash leaves either the old state or the new one. */
export interface Transactions {
  transaction<T>(work: () => T): T
}

export interface EventStore {
  /**
   * Records the id of an event that creates no task of the same id, and assigns the principal's next turn number; null for a
   * repeated delivery (B-24).
   */
  admit(event: { readonly id: string; readonly principal: string; readonly at: number }): number | null
  /** One above the highest turn of this principal. Used by the task that is added in the same transaction. */
  nextTurn(principal: string): number
}

export interface TaskStore {
  /** Adds a task with its rows. False if the id exists; that task stays unchanged. */
  addTask(task: Task, open: readonly EffectRow[]): boolean
  /** Stores the task and its open rows in one statement, so that a transition is stored whole or not at all. */
  saveTask(task: Task, open: readonly EffectRow[]): void
  loadTask(id: string): Task | null
  /** The record with its open rows. */
  findTask(id: string): StoredTask | null
  /** Tasks that are not final, by principal, in order of turns. */
  activeTasks(principal: string): readonly StoredTask[]
  activePrincipals(): readonly string[]
  /** Newest first. */
  recentTasks(principal: string, limit: number): readonly Task[]
}

export interface CapabilityUses {
  /** Counts one use of a capability; false if it was used up. */
  countUse(capability: string, max: number): boolean
  uses(capability: string): number
}

export interface ApprovalStore {
  /** `card` is given once, when the approval is created. */
  saveApproval(approval: Approval, card: SealedRef | null): void
  loadApproval(id: string): StoredApproval | null
  approvalNumbered(number: number): StoredApproval | null
  /** All approvals that were asked for one task, oldest first. */
  approvalsOf(task: string): readonly StoredApproval[]
  /** Pending approvals, oldest first; of one principal, or all. */
  pendingApprovals(principal: string | null): readonly StoredApproval[]
  /** Number of approvals asked since `at` (epoch ms), by reason. */
  askedSince(at: number): readonly { readonly reason: string; readonly count: number }[]
}

export interface GrantStore {
  /** Called once per grant: an approved grant is never changed. */
  saveGrant(grant: Grant, card: SealedRef): void
  /** All grants, oldest first, including ended ones. */
  grants(): readonly StoredGrant[]
  /** False if there is no such grant or it was already revoked. */
  revokeGrant(id: string, at: number): boolean
  /** Counts one use of today; false if the grant is not live or used up. Call within a transaction. */
  useGrant(id: string, now: number): boolean
}

export interface IdentityLinkStore {
  /** Adds or updates a link. A stored `card` stays. */
  saveIdentityLink(link: IdentityLink, card: SealedRef | null): void
  /** All links, oldest first, including ended ones. */
  identityLinks(): readonly StoredLink[]
}

/** Write access to the audit; does not include reading it. */
export interface AuditLog {
  appendAudit(event: AuditEvent): void
}

export interface AuditTrail {
  /** Newest last. */
  auditOf(task: string): readonly AuditEvent[]
  /** At most `most` events since `at` (epoch milliseconds), newest first. */
  auditSince(at: number, most: number): readonly AuditEvent[]
}

/** Sent deliveries. Polled channels, such as the terminal's, read them here. */
export interface OutboxStore {
  /** Replaces a delivery with the same id. */
  putDelivery(row: OutboxRow): void
  /** Deliveries of a sink with a sequence number above `after`, oldest first. */
  deliveriesAfter(
    sink: string,
    after: number,
    limit: number,
  ): readonly (OutboxRow & { readonly seq: number })[]
  /** One delivery by its id. */
  findDelivery(id: string): OutboxRow | null
  /** Newest first. */
  recentDeliveries(sink: string, limit: number): readonly OutboxRow[]
  /** The newest delivery of a task, for its report. */
  lastDelivery(task: string): OutboxRow | null
}

/** One turn of a conversation: the person's words and the answer, if there was one, both sealed (B-12, B-21). */
export interface Turn {
  readonly turn: number
  readonly principal: string
  readonly task: string
  readonly words: SealedRef
  readonly answer: SealedRef | null
  /** When it was written, epoch milliseconds. Orders the turns of both places. */
  readonly at: number
}

/** Size of the running conversation. */
export interface HistorySize {
  readonly turns: number
  readonly bytes: number
}

/** The summary of the older part of a conversation, with the joined label of its sources (O-36, O-40). */
export interface Compaction {
  readonly principal: string
  readonly summary: SealedRef
  readonly at: number
  /** Whether the owner has been notified. */
  readonly told: boolean
}

export interface TurnStore {
  appendTurn(turn: Turn): void
  /** Turns since the last compaction (O-39), by time, newest last. */
  recentTurns(principal: string, limit: number): readonly Turn[]
  /** Number of turns that are not archived, and the bytes of their sealed lines. */
  historySize(principal: string): HistorySize
  /** Join of the labels of the turns that are not archived. */
  historyLabel(principal: string): Label
  /** Turns that are not archived, oldest first. */
  runningTurns(principal: string, limit: number): readonly (Turn & { readonly bytes: number })[]
  /** Turns that a summary replaced (O-41), or all turns, newest first. `before`: last turn of the previous page. */
  earlierTurns(
    principal: string,
    asked: {
      readonly limit: number
      readonly archivedOnly: boolean
      readonly before?: Pick<Turn, 'at' | 'turn'> | undefined
    },
  ): readonly Turn[]
  /** Highest number of a turn; 0 when there is none. */
  lastTurn(principal: string): number
  /** Turns with a number above `after`, or one of `also`, by number; includes archived turns. */
  turnsAfter(
    principal: string,
    asked: { readonly after: number; readonly also: readonly number[]; readonly limit: number },
  ): readonly Turn[]
  compaction(principal: string): Compaction | null
  /**
   * Replaces the previous summary and archives the turns that the new one covers. Returns the previous summary's reference; the
   * caller deletes its sealed row. Call within a transaction.
   */
  compact(compaction: Compaction, turns: readonly Turn[]): SealedRef | null
  /**
   * Archives all turns and ends the summary: the next turn is the first of a new conversation. Returns the summary's reference;
   * the caller deletes its sealed row. Call within a transaction.
   */
  beginAnew(principal: string): SealedRef | null
  /** Records that the owner was notified of the compaction. */
  toldOfCompaction(principal: string): void
}
