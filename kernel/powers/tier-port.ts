/**
 * What is added to one call's prompt: its dynamic blocks (P-15), how they are fitted, and the owner's commands about how they are
 * answered. A port, so that nothing that decides can reach how a message was read (P-31). Must not decide what anybody may
 * read: every block is labelled. Each is called with the ports that are named here. Filled by pipeline/prompt-tier.ts.
 */

import type { ChannelFlows, Channels } from '../features/channels/channel-port.ts'
import type { WaitingStore } from '../features/deliveries/waiting-port.ts'
import type { FactStore } from '../features/memory/memory-port.ts'
import type { UsageStore } from '../features/usage/usage-port.ts'
import type { Label } from '../flow/label.ts'
import type { Labeled } from '../flow/labeled.ts'
import type { FitInto } from '../prompt/budget.ts'
import type { LabeledBlock, PromptRequest } from '../prompt/parts.ts'
import type { Audience } from '../self/section.ts'
import type { Manner } from '../task/manner.ts'
import type { Task } from '../task/task.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  CallBounds,
  Caps,
  ChatServices,
  Clock,
  CostNotes,
  CredentialDesk,
  DirectiveFiles,
  Documents,
  Extraction,
  HistorySpan,
  HomeLine,
  Ids,
  LinkDesk,
  LinkedLines,
  Models,
  Operations,
  Outgoing,
  OwnerFacts,
  OwnerPrompts,
  Pausing,
  PolicySource,
  Redaction,
  Sealing,
  SecretScan,
  SelfKnowledge,
  Strictness,
  Templates,
  Texts,
  TokenKey,
  Tools,
} from './ports.ts'
import type { SealedStore } from './sealed-port.ts'
import type {
  ApprovalStore,
  AuditLog,
  AuditTrail,
  CapabilityUses,
  GrantStore,
  IdentityLinkStore,
  OutboxStore,
  StoreOf,
  TaskStore,
  Transactions,
} from './stores.ts'
import type { TurnStore } from './turn-port.ts'

/** Which prompt, and what may stand in it. */
export interface BlockReader {
  readonly purpose: PromptRequest['purpose']
  readonly audience: Audience
  readonly request: Labeled<string>
  readonly may: (label: Label) => boolean
}

/** What blocks are made of. */
type BlockPorts = Clock &
  AtPlace &
  PolicySource &
  Texts &
  HomeLine &
  Sealing &
  StoreOf<TaskStore & IdentityLinkStore & SealedStore & FactStore>

export interface BlockSource {
  readonly tier: {
    readonly blocks: (powers: BlockPorts, task: Task, reader: BlockReader) => Promise<readonly LabeledBlock[]>
    readonly fit: FitInto
  }
}

/** What every call of a model beside its task takes. */
type ModelPorts = Clock &
  Ids &
  AtPlace &
  OwnerFacts &
  Templates &
  Texts &
  Strictness &
  SelfKnowledge &
  Models &
  CallBounds &
  Caps &
  CostNotes &
  TokenKey &
  Redaction &
  SecretScan &
  BlockSource &
  StoreOf<AuditLog & UsageStore>

export interface ReaderPass {
  readonly tier: {
    /** The reader pass over a writer's contents, where the owner wants one (N-25). Never lowers a label or a taint. */
    readonly readFirst?: (
      powers: ModelPorts,
      task: Task,
      contents: PromptRequest['contents'],
    ) => Promise<PromptRequest['contents']>
  }
}

/** What the owner may say of how they are answered, in place of a request; only ever asked of their own words. */
export interface CommandSense {
  readonly tier: {
    readonly commands: {
      /** It is a command and nothing else: no plan, and no model. */
      readonly isOne: (words: string, powers: ChatServices) => boolean
      /** How they want to be answered from this message on; null for as each message reads. Synchronous: in the task's transaction. */
      readonly manner: (
        powers: StoreOf<TaskStore>,
        said: { readonly principal: string; readonly words: Labeled<string> },
      ) => Manner | null
    }
  }
}

/** What commands are answered with: a prompt is weighed, a chat is set up, an operation is called. */
type AnswerPorts = ModelPorts &
  PolicySource &
  Actions &
  ChatServices &
  Documents &
  OwnerPrompts &
  Extraction &
  Tools &
  Outgoing &
  HomeLine &
  LinkedLines &
  DirectiveFiles &
  Sealing &
  CredentialDesk &
  AskingTime &
  HistorySpan &
  Pausing &
  Operations &
  LinkDesk &
  Channels &
  ChannelFlows &
  StoreOf<
    Transactions &
      TaskStore &
      CapabilityUses &
      ApprovalStore &
      GrantStore &
      IdentityLinkStore &
      AuditTrail &
      OutboxStore &
      SealedStore &
      TurnStore &
      FactStore &
      WaitingStore
  >

export interface CommandAnswers {
  readonly tier: {
    readonly commands: {
      /** Null for what is no command. */
      readonly answer: (powers: AnswerPorts, task: Task) => Promise<Labeled<string> | null>
    }
  }
}

/** All that a place adds to one call's prompt. */
export type DynamicTier = (BlockSource & ReaderPass & CommandSense & CommandAnswers)['tier']
