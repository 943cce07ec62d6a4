/**
 * What the channels of a place can do, and how home activates one (H-13). The kernel asks the owner and decides the next step;
 * the place verifies a credential with the service, finds the owner and listens. Must not be passed to a tool. Implemented by
 * home's channel service and the edge's list; called by channels.ts.
 */
import type { Refusal, Result } from '../../flow/verdict.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  Clock,
  CredentialService,
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

/** The activation under way. Durable; one at a time. */
export interface Activating {
  readonly channel: string
  /** Question that the owner was asked last; null while the next one is due. */
  readonly question: string | null
  /** Chat in which the owner asked; null for the first chat for questions. */
  readonly sink: string | null
}

/** Channels that the owner may activate; absent when there are none to offer. */
export interface Channels {
  readonly channels?: {
    readonly adapters: readonly ChannelAdapter[]
    /**
     * Absent at the edge, which activates no channel: it asks for the first credential and seals it for home.
     */
    readonly home?: HomeChannels | undefined
  }
}

export interface ChannelFlows {
  readonly channels?: {
    /** How home activates a channel. */
    readonly flow?: ChannelFlow
  }
}

export type ChannelPort = NonNullable<(Channels & ChannelFlows)['channels']>

/** Ports of each step of an activation. */
type FlowPorts = Clock & Ids & AtPlace & Sealing & Channels & StoreOf<ApprovalStore & AuditLog & SealedStore>

type ConnectPorts = FlowPorts & PolicySource & Actions & TokenKey & CredentialService & StoreOf<AuditTrail>

type LeavePorts = FlowPorts & AskingTime & StoreOf<Transactions>

type StartPorts = ConnectPorts &
  Outgoing &
  SecretScan &
  OwnerChats &
  StoreOf<Transactions & TaskStore & OutboxStore & WaitingStore>

/** Passed in, because the edge's bundle does not contain it. Implemented by channels.ts. */
export interface ChannelFlow {
  /** Answers "connect <name>". */
  readonly connect: (powers: ConnectPorts, task: Task, name: string) => Promise<string>
  /** Answers "disconnect <name>". */
  readonly leave: (powers: LeavePorts, task: Task, name: string) => Promise<string>
  readonly start: (powers: StartPorts, lane: TaskReports) => Activation
}

export interface Activation {
  /**
   * Takes the next steps, one call after the other. `from`: the chat in which a credential was just given.
   */
  look(from?: string): Promise<void>
  /** Words for a question that expired; null for a question that is none of these. */
  late(approval: Approval): string | null
}

export interface HomeChannels {
  isActive(channel: string): boolean
  /** Whether the credential of this service is stored here. */
  has(service: string): boolean
  activating(): Activating | null
  /** Durable when it returns; joins the caller's transaction if there is one. */
  note(now: Activating | null): void
  /**
   * Name of the account that the credentials open, found by harmless calls. Refusals: those of the service.
   */
  account(channel: string): Promise<Result<string>>
  /**
   * Waits until the owner sends the code there, then listens, now and after each start. One search at a time;
   * a repeated call joins it. False when it was cancelled. Refusals: config_malformed when the configuration
   * contradicts it, those of the service.
   */
  find(channel: string, code: string): Promise<Result<boolean>>
  /** Cancels a search and deletes the credentials given for it. Clears `activating`. */
  drop(channel: string): Promise<void>
  /**
   * After the owner's approval is durable: stops listening, deletes the credentials, and notifies the owner
   * in `sink`.
   */
  leave(channel: string, sink: string): void
  /** Sink of the owner's chat there; null for a channel that home does not have. */
  chat(channel: string): string | null
  /** The failure in the service's own terms, if they say more than the reason code. */
  trouble(refusal: Refusal): string | null
}

/**
 * Whether the chat is polled. A card there may go unseen, so it can be answered there and still also waits
 * for its own chat.
 */
export function isRead({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) !== false || sender.drafts?.watched(sink) === true
}

/** Whether anybody would see a draft of this task's answer. */
export function watchesDrafts({ sender }: Outgoing, { sink }: Task): boolean {
  return sender.drafts?.watched(sink) === true
}

/**
 * Whether the chat receives messages immediately, as a messenger does. For any other it is unknown when they
 * are read.
 */
export function hasAtOnce({ sender }: Outgoing, sink: string): boolean {
  return sender.acknowledges?.(sink) === true
}

/** Whether any channel here can delete messages in its chats. */
export function canTakeBack({ sender }: Outgoing): boolean {
  return sender.retract !== undefined
}

/** Words on how to give a channel another token, at home. */
export function rotating({ needs }: ChannelAdapter): string {
  return needs.map(({ service }) => `pfar secret rotate ${service}`).join(', ')
}
