/**
 * The powers that a place hands to the pipeline: everything that does I/O, reads a clock or is random. Both
 * shells build one `Powers` value; the pipeline imports nothing else from the world (invariant 8).
 */
import type { Grant } from '../flow/grant.ts'
import type { Place } from '../flow/place.ts'
import type { Policy } from '../flow/policy.ts'
import type { Result } from '../flow/verdict.ts'
import type { Budget } from '../inference/budget.ts'
import type { ModelOf } from '../inference/chain.ts'
import type { Patience } from '../inference/patience.ts'
import type { ModelProvider, StopSignal } from '../inference/provider.ts'
import type { ModelCost } from '../inference/usage.ts'
import type { CallOperation } from '../operations/caller.ts'
import type { DocumentCache } from '../prompt/document/cache.ts'
import type { PromptTexts } from '../prompt/parts.ts'
import type { SelfKeeper } from '../self/keeper.ts'
import type { Approval } from '../task/approval.ts'
import type { OwnCommandEntry } from '../task/command.ts'
import type { IdentityLink } from '../task/identity-link.ts'
import type { Directory } from '../task/principal.ts'
import type { EffectRow, SealedRef, Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { Chats } from '../tool/channel.ts'
import type { ActionManifest, ToolCall, ToolOutcome } from '../tool/manifest.ts'
import type { Registry } from '../tool/registry.ts'
import type { Sealer } from '../vault/sealer.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'
import type { AgreementStore } from './agreement-port.ts'
import type { ChannelPort } from './channel-port.ts'
import type { CredentialPort } from './credential-port.ts'
import type { DayShare } from './day-share-port.ts'
import type { DirectiveStore } from './directive-port.ts'
import type { DraftPort } from './draft-port.ts'
import type { FilePort } from './file-port.ts'
import type { HistoryWindow } from './history-window.ts'
import type { HomeLink } from './home-port.ts'
import type { LinkDeskPort } from './link-desk-port.ts'
import type { AskLinked } from './linked-port.ts'
import type { MemoryStore } from './memory-port.ts'
import type { OwnerWordPowers } from './owner-desk-port.ts'
import type { PausePort } from './pause-port.ts'
import type { Retraction, RetractionStore } from './retraction-port.ts'
import type { SealedStore } from './sealed-port.ts'
import type { DynamicTier } from './tier-port.ts'
import type { TurnStore } from './turn-port.ts'
import type { UsageStore } from './usage-port.ts'
import type { WaitingStore } from './waiting-port.ts'
import type { WorkPort } from './work-port.ts'

/** A grant with the sealed words that the owner said yes to. */
export interface StoredGrant {
  readonly grant: Grant
  readonly card: SealedRef
}

/** An identity link, with the sealed words that the owner said yes to once he did. */
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

/** What leaves through a sink. `id` is stable per delivery, so a second send of it replaces the first. */
export interface Delivery {
  readonly id: string
  readonly sink: string
  readonly principal: string
  readonly task: string | null
  readonly turn: number | null
  readonly kind: 'answer' | 'card' | 'notice'
  /** Approval that a card asks for. */
  readonly approval: string | null
  /** What the buttons under a card say, in place of yes and no; `more`: of one that turns the page of a long card. */
  readonly buttons?: { readonly yes: string; readonly no: string; readonly more?: string }
  readonly text: string
  /** `describeLabel` of the text. */
  readonly label: string
  readonly at: number
  /**
   * A channel fetches no address in the text to make a preview, and makes no link of any of it; of an answer's marks it may show
   * emphasis and code. A sender whose service does more by itself turns it off in the request.
   */
  readonly previews: 'off'
}

/** A task and what is still to be done for it, oldest row first. */
export interface StoredTask {
  readonly task: Task
  readonly open: readonly EffectRow[]
}

/**
 * A place's durable state. Every method is synchronous, because SQLite is at both places: a transition is one
 * `transaction`, so a crash leaves either the old state or the new one. Methods take and return plain data.
 */
export interface Store
  extends SealedStore,
    TurnStore,
    MemoryStore,
    RetractionStore,
    UsageStore,
    AgreementStore,
    WaitingStore {
  transaction<T>(work: () => T): T

  /**
   * Records the id of an event that becomes no task of its own name, and gives it the principal's next turn number; null
   * for a second delivery (B-24).
   */
  admit(event: { readonly id: string; readonly principal: string; readonly at: number }): number | null
  /** One above the highest turn of this principal. Taken by the task that is added with it in the same transaction. */
  nextTurn(principal: string): number

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

  /** Counts one use of a capability; false when it was used up already. */
  countUse(capability: string, max: number): boolean
  uses(capability: string): number

  /** `card` is given once, when the approval is created. */
  saveApproval(approval: Approval, card: SealedRef | null): void
  loadApproval(id: string): StoredApproval | null
  /** The one that was given this number. */
  approvalNumbered(number: number): StoredApproval | null
  /** Pending ones, oldest first; of one principal, or all. */
  pendingApprovals(principal: string | null): readonly StoredApproval[]
  /** How many were asked since then (epoch ms), by reason. */
  askedSince(at: number): readonly { readonly reason: string; readonly count: number }[]

  /** Once: what was agreed to is not changed afterwards. */
  saveGrant(grant: Grant, card: SealedRef): void
  /** All, oldest first; those that ended among them. */
  grants(): readonly StoredGrant[]
  /** False when there is none that could be revoked. */
  revokeGrant(id: string, at: number): boolean
  /** Counts one use of today; false for one that is not live or used up. In a transaction of the caller's. */
  useGrant(id: string, now: number): boolean

  /** New, or a change of it; `card` is kept once it is given. */
  saveIdentityLink(link: IdentityLink, card: SealedRef | null): void
  /** All, oldest first; those that are over among them. */
  identityLinks(): readonly StoredLink[]

  appendAudit(event: AuditEvent): void
  /** Newest last. */
  auditOf(task: string): readonly AuditEvent[]
  /** From then on (epoch milliseconds), newest first, so many at most. */
  auditSince(at: number, most: number): readonly AuditEvent[]

  /** Outbox of the channels that are read by asking, such as the terminal's. Same id replaces. */
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

/** A delivery at rest: its text is sealed, like everything else that is stored. */
export type OutboxRow = Omit<Delivery, 'text' | 'previews'> & { readonly text: SealedRef }

/** Runs one tool call: finds the tool, unseals its credential for this call, builds its scoped client. */
export interface ToolPort {
  run(call: Pick<ToolCall, 'action' | 'args' | 'capability'>): Promise<ToolOutcome>
  /** Whether this place can run the action now; `credential` names what is missing. */
  availability(action: ActionManifest): 'here' | 'elsewhere' | 'credential'
}

/**
 * Hands a finished delivery to the channel that holds the sink. Idempotent by `delivery.id`. Refusals that pass by
 * themselves (network_failed, response_timeout, remote_unavailable, remote_rate_limited) are tried again later, not
 * before the fact `retryAfter` (milliseconds) where the channel gave one; any other is lasting.
 */
export interface SenderPort {
  send(delivery: Delivery): Promise<Result<true>>
  /** Absent where a channel shows answers whole alone. */
  readonly drafts?: DraftPort | undefined
  /** Absent where a channel shows no progress. */
  readonly work?: WorkPort | undefined
  /** True where a successful `send` means that the channel has it; a channel that is read by asking has it when read. */
  acknowledges?(sink: string): boolean
  /**
   * Deletes a message in its chat, where the channel can (H-16). Idempotent. Refusals as above, and nothing_found for one that
   * is not there any more.
   */
  readonly retract?: ((message: Pick<Retraction, 'sink' | 'message'>) => Promise<Result<true>>) | undefined
}

/** Deterministic extraction of a message: typed fields only (C-01, J-01). Shape: `MESSAGE_FIELDS` in extract.ts. */
export interface MessageExtractor {
  extract(text: string, context: { readonly now: number; readonly timezone: string }): unknown
}

export interface Contact {
  readonly name: string
  readonly email: string
}

/** The owner's own facts, from configuration at home; the edge holds what it is cleared for. */
export interface OwnerProfile {
  readonly timezone: string
  readonly contacts: readonly Contact[]
}

export interface Powers extends OwnerWordPowers {
  readonly place: Place
  readonly now: () => number
  /** Unguessable, unique, at most 40 characters of [a-z0-9]. */
  readonly newId: () => string
  readonly policy: () => Policy
  readonly directory: () => Directory
  readonly profile: () => OwnerProfile
  readonly registry: Registry
  /** Services that a chat may be at. */
  readonly chats: Chats
  readonly templates: readonly Template[]
  readonly texts: PromptTexts
  /**
   * The system document as it is built for one kind of call, once (P-02): with the owner's own words first, where he has
   * any; the program's alone last.
   */
  readonly documents: readonly DocumentCache[]
  /** Commands of the owner's making, as far as this place may know them (O-21). */
  readonly commands?: readonly OwnCommandEntry[]
  /** What this place adds to one call's prompt. */
  readonly tier: DynamicTier<Powers>
  /** What the assistant knows of itself here (DESIGN §4). */
  readonly self: SelfKeeper
  /** True where a broken prompt is to stop whoever broke it; false in production, which repairs it and says so. */
  readonly strict: boolean
  /** In order of preference; the last is `rules`. */
  readonly models: readonly ModelProvider[]
  /** Ends the model calls of the row that runs, where its task is stopped; the lane adds it. */
  readonly stop?: StopSignal
  /** Looks at pictures, and is asked nothing else; absent where nobody does (B-27). */
  readonly sees?: ModelProvider | undefined
  /** Another model of one of their providers, where a template names it (D-09). */
  readonly modelOf?: ModelOf
  /** What this place has for models that fail. */
  readonly patience: Patience
  readonly extractor: MessageExtractor
  readonly tools: ToolPort
  /** Fetches what came with a message; absent where no channel hands over files. */
  readonly files?: FilePort
  readonly sender: SenderPort
  readonly home: HomeLink | null
  readonly store: Store
  /** Absent where one store holds all. */
  readonly linked?: AskLinked
  /** Told of each change of an identity link, before it is durable. */
  readonly linksChanged?: () => void
  /** The same, of a grant, and of a pairing agreement. */
  readonly grantsChanged?: () => void
  readonly peopleChanged?: () => void
  /** The owner's directive files. Home's alone: the edge holds none of it. */
  readonly directives?: DirectiveStore
  readonly sealer: Sealer
  /** 32 bytes; signs this place's capability tokens, and makes the boundaries of data blocks (`prompt/boundary.ts`). */
  readonly tokenKey: Uint8Array
  /** What models may cost here; no caps and no prices where it is absent. */
  readonly budget?: Budget
  /** Where several stores share the caps of a day. */
  readonly dayShare?: DayShare
  /** Adds up what model calls cost, for the owner; absent at a place that nobody asks. */
  readonly noteCost?: (cost: ModelCost) => void
  /** Where credentials that the owner gives in a chat go; absent at a place that keeps none. */
  readonly credentials?: CredentialPort
  /** Chats that the owner may activate; absent where there are none to offer. */
  readonly channels?: ChannelPort<Powers>
  /** Takes the secrets that this place knows out of a text, before a model reads it (E-18). */
  readonly redact: (text: string) => string
  /** Where those secrets stand in what is about to leave. */
  readonly known: KnownSecrets
  /**
   * The owner's chats for questions that nobody asked in one of his, the preferred one first (F-18); none: this place has
   * none.
   */
  readonly adminSinks: readonly string[]
  /** False for a chat of his in which an answer of his would not be heard now; absent where all are. */
  readonly hears?: (sink: string) => boolean
  /** Milliseconds that a question waits for its answer (F-05). */
  readonly approvalTimeout: number
  /** How much of the conversation a prompt takes along (B-18). */
  readonly history: HistoryWindow
  /** Whether the owner has this place pause; absent at one that goes on always. */
  readonly pause?: PausePort
  /** Calls operations of this place; absent where there are none. */
  readonly operations?: CallOperation
  /** Where the owner ends a link of two accounts. */
  readonly links?: LinkDeskPort
}
