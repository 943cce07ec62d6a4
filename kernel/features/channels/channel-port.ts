/**
 * What a place knows of the chats that its owner may activate (H-13), and home's means to do so. The kernel asks and says what comes
 * next; a place makes the one call that proves a credential, looks for its owner, and listens. Must not be handed to a tool. Filled
 * by home's channel desk and by the edge's list; called by pipeline/channels.ts and
 * runtime/activation.ts.
 */
import type { Refusal, Result } from '../../flow/verdict.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  Clock,
  CredentialDesk,
  Ids,
  Outgoing,
  OwnerChats,
  PolicySource,
  Sealing,
  SecretScan,
  TokenKey,
} from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type {
  ApprovalStore,
  AuditLog,
  AuditTrail,
  OutboxStore,
  StoreOf,
  TaskStore,
  Transactions,
} from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import type { Task } from '../../task/task.ts'
import type { ChannelAdapter } from '../../tool/channel.ts'
import type { WaitingStore } from '../deliveries/waiting-port.ts'

/** One activation that is under way, durable: one at a time. */
export interface Activating {
  readonly channel: string
  /** Question that its owner was asked last; null while the next one is due. */
  readonly question: string | null
  /** Chat that he asked in; null for the first of those for questions. */
  readonly sink: string | null
}

/** Chats that the owner may activate; absent where there are none to offer. */
export interface Channels {
  readonly channels?: {
    readonly adapters: readonly ChannelAdapter[]
    /** Absent at the edge, which knows of none and activates none: it asks for the first credential, and closes that for home. */
    readonly home?: HomeChannels | undefined
  }
}

export interface ChannelFlows {
  readonly channels?: {
    /** Home's way to go about it. */
    readonly flow?: ChannelFlow
  }
}

export type ChannelPort = NonNullable<(Channels & ChannelFlows)['channels']>

/** What each part of an activation takes. */
type FlowPorts = Clock & Ids & AtPlace & Sealing & Channels & StoreOf<ApprovalStore & AuditLog & SealedStore>

type ConnectPorts = FlowPorts & PolicySource & Actions & TokenKey & CredentialDesk & StoreOf<AuditTrail>

type LeavePorts = FlowPorts & AskingTime & StoreOf<Transactions>

type StartPorts = ConnectPorts &
  Outgoing &
  SecretScan &
  OwnerChats &
  StoreOf<Transactions & TaskStore & OutboxStore & WaitingStore>

/** Handed in, as it is no part of the edge's program. Filled by runtime/activation.ts. */
export interface ChannelFlow {
  /** The answer to "connect <name>". */
  readonly connect: (powers: ConnectPorts, task: Task, name: string) => Promise<string>
  /** The answer to "disconnect <name>". */
  readonly leave: (powers: LeavePorts, task: Task, name: string) => Promise<string>
  readonly start: (powers: StartPorts, lane: TaskReports) => Activation
}

export interface Activation {
  /** Does what comes next, one call after the other. `from`: the chat in which something was given just now. */
  look(from?: string): Promise<void>
  /** Words for a question that ended unanswered; null for one that is none of these. */
  late(approval: Approval): string | null
}

export interface HomeChannels {
  isActive(channel: string): boolean
  /** Whether the credential of this name is kept here. */
  has(service: string): boolean
  activating(): Activating | null
  /** Durable when it returns; in the caller's transaction where there is one. */
  note(now: Activating | null): void
  /** Whose account its credentials open, by harmless calls. Refusals: those of the service. */
  account(channel: string): Promise<Result<string>>
  /**
   * Waits for its owner to say the code there, then listens, from now on and after each start. One search at a time: the same again is
   * that one. False where it was broken off. Refusals: config_malformed where the configuration says something else, those of the service.
   */
  find(channel: string, code: string): Promise<Result<boolean>>
  /** Ends a search, and lets go of what was given for it. Ends `activating`. */
  drop(channel: string): Promise<void>
  /** After its owner's yes, once that is durable: listens no more, forgets, and tells him in `sink`. */
  leave(channel: string, sink: string): void
  /** Sink of its owner's chat there; null for a channel that home has not. */
  chat(channel: string): string | null
  /** In the service's own terms, where those say more than the code. */
  trouble(refusal: Refusal): string | null
}
