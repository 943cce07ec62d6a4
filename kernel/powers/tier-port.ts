/**
 * Additions to one call's prompt: its dynamic blocks (P-15), how they are fitted, and the owner's commands about the style of
 * answers. A port, so that deciding code cannot reach the classification of a message (P-31). Each function gets the ports that
 * are named here. Must not decide what a reader may see: every block is labelled. Filled by model-call/prompt-tier.ts.
 */

import type { ChannelFlows, Channels } from '../features/channels/channel-port.ts'
import type { WaitingStore } from '../features/deliveries/waiting-port.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { FactStore, MemoryStore } from '../features/memory/port.ts'
import type { Routed, Sent } from '../features/people/route.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import type { UsageStore } from '../features/usage/port.ts'
import type { Label } from '../flow/label.ts'
import type { Labeled } from '../flow/labeled.ts'
import type { FitInto } from '../prompt/budget.ts'
import type { LabeledBlock, PromptRequest } from '../prompt/parts.ts'
import type { Audience } from '../self/section.ts'
import type { Approval } from '../task/approval.ts'
import type { TaskReports } from '../task/outcome.ts'
import type { AnswerTone, Task } from '../task/task.ts'
import type { Auditing } from './audit.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  CallBounds,
  Caps,
  ChatServices,
  Clock,
  CostNotes,
  CredentialService,
  DirectiveFiles,
  Documents,
  Extraction,
  HistorySpan,
  HomeLine,
  Ids,
  LinkedLines,
  LinkService,
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
import type { sealForLater } from './sealed.ts'
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
  TurnStore,
} from './stores.ts'

/** The kind of prompt, and which labels it may contain. */
export interface BlockReader {
  readonly purpose: PromptRequest['purpose']
  readonly audience: Audience
  readonly request: Labeled<string>
  readonly may: (label: Label) => boolean
}

/** The ports that making blocks needs. */
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

/** The ports of a model call, in addition to its task. */
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
    /**
     * A first pass of a model over a writer's contents, if the owner enabled it (N-25). Never lowers a label
     * or a taint.
     */
    readonly readFirst?: (
      powers: ModelPorts,
      task: Task,
      contents: PromptRequest['contents'],
    ) => Promise<PromptRequest['contents']>
  }
}

/**
 * The operation that a sentence asks for. `args` were read by code; `named` is one more argument, in the owner's own
 * words.
 */
export interface MeantOperation<Name extends string = string> {
  readonly operation: Name
  readonly args: Readonly<Record<string, string | number>>
  readonly named: { readonly argument: string; readonly words: Labeled<string> } | null
}

/**
 * Finds an operation and a sentence of its own that states what a message asks; null
 * for any other message. At home a trained table does this.
 */
export type SayPlainly = (
  text: string,
  context: { readonly now: number; readonly timezone: string },
) => SaidPlainly | null

export type SaidPlainly = {
  /** Name of the operation. The sentence must lead to this operation or to nothing, whatever words of the owner it contains. */
  readonly operation: string
  readonly sentence: string
  /** Every word of the message was read, so that a guess of something else is none. */
  readonly whole?: true
}

/** A request that was asked back about, by the code of its plan, and what was said to that. All of it is the owner's own words. */
export interface AskedBack {
  readonly code: string
  readonly request: string
  readonly answer: string
}

/** The whole request; null where the answer is none, or does not complete it. */
export type Complete = (
  asked: AskedBack,
  context: { readonly now: number; readonly timezone: string },
) => string | null

export interface Completed {
  readonly of: Task
  readonly words: Awaited<ReturnType<typeof sealForLater>>
  /** What a repeated request has besides. */
  readonly stillStored?: undefined
}

type CompletingPorts = Clock &
  Ids &
  OwnerFacts &
  Sealing &
  ChatServices &
  Actions &
  CommandSense &
  StoreOf<SealedStore & TaskStore>

type TalkPorts = Clock &
  OwnerFacts &
  Extraction &
  Actions &
  Templates &
  Sealing &
  StoreOf<SealedStore & TaskStore & ApprovalStore & ReminderStore & JobStore & SettingStore & AuditTrail>

type RememberingPorts = Clock & PolicySource & Sealing & StoreOf<SealedStore & FactStore & IdentityLinkStore>

export interface TalkSense {
  readonly tier: {
    /** Present only at home. */
    readonly talk?: {
      /** Null for any other message. */
      readonly recognise: (powers: TalkPorts, task: Task) => Promise<MeantOperation | null>
      /** The request that a message completes; null for one that answers no question of code's, or stands for itself. */
      readonly completed: (powers: CompletingPorts, sent: Routed) => Promise<Completed | null>
      /** The fact as it reads after a sentence that corrects it; undefined for any other words. */
      readonly reword: (fact: string, said: string) => string | null | undefined
      /** Length of a question that one remembered fact answers, in UTF-16 units; null for any other. */
      readonly remembered: (powers: RememberingPorts, task: Task) => Promise<number | null>
    }
  }
}

/** A call whose tool or argument names were corrected. Contains registry names only. */
export interface CorrectedCall {
  readonly step: number
  readonly tool: string
  readonly renamed: boolean
  /** Number of corrected arguments. */
  readonly arguments: number
}

export interface NameCorrection {
  readonly tier: {
    /** Present only at home: corrects misspelt names in a model's plan, within the tools that its prompt offered (O-32, O-33). */
    readonly correctNames?: (
      plan: unknown,
      known: { readonly permitted: readonly string[]; readonly registry: Actions['registry'] },
    ) => { readonly plan: unknown; readonly corrected: readonly CorrectedCall[] }
  }
}

type ElsePorts = Clock &
  Auditing &
  AtPlace &
  Outgoing &
  StoreOf<TaskStore & ApprovalStore & OutboxStore & WaitingStore>

export interface ElseSense {
  readonly tier: {
    /**
     * Present only at home: handles an answer other than the options of a question. Runs
     * in the transaction that receives the message, which then runs as a request.
     */
    readonly recogniseElse?: (
      powers: ElsePorts,
      lane: TaskReports,
      sent: Sent,
      over: (decided: Approval) => void,
    ) => (() => undefined) | null
  }
}

/** Style commands that the owner may send in place of a request. Applied only to the owner's own words. */
export interface CommandSense {
  readonly tier: {
    readonly commands: {
      /** True if the message is a command and nothing else: it needs no plan and no model. */
      readonly isCommand: (words: string, powers: ChatServices & Actions) => boolean
      /**
       * The style of answers from this message on; null: determined by each message. Synchronous: runs in the
       * task's transaction.
       */
      readonly tone: (
        powers: StoreOf<TaskStore>,
        said: { readonly principal: string; readonly words: Labeled<string> },
      ) => AnswerTone | null
    }
  }
}

/** The ports for answering commands: weighing a prompt, setting up a chat, calling an operation. */
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
  CredentialService &
  AskingTime &
  HistorySpan &
  Pausing &
  Operations &
  LinkService &
  Channels &
  ChannelFlows &
  StoreOf<
    Transactions &
      TaskStore &
      CapabilityUses &
      JobStore &
      SettingStore &
      ReminderStore &
      ApprovalStore &
      GrantStore &
      IdentityLinkStore &
      AuditTrail &
      OutboxStore &
      SealedStore &
      TurnStore &
      MemoryStore &
      FactStore &
      WaitingStore
  >

export interface CommandAnswers {
  readonly tier: {
    readonly commands: {
      /** Null for a message that is no command. */
      readonly answer: (powers: AnswerPorts, task: Task) => Promise<Labeled<string> | null>
    }
  }
}

/** All additions of a place to one call's prompt. */
export type DynamicTier = (BlockSource &
  ReaderPass &
  TalkSense &
  NameCorrection &
  ElseSense &
  CommandSense &
  CommandAnswers)['tier']
