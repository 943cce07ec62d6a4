/**
 * The ports that a place gives to the kernel, by noun: everything that does I/O, reads a clock or is random (invariant
 * 8). A kernel function takes the ports that it and its callees use, so its signature says what it can touch. Types only.
 * Stores are in stores.ts, callbacks that get ports in tier-port.ts and channel-port.ts; all-powers.ts joins them.
 */

import type { CredentialPort } from '../features/credentials/credential-port.ts'
import type { Retraction } from '../features/deliveries/waiting-port.ts'
import type { DraftPort, WorkPort } from '../features/deliveries/work-port.ts'
import type { DirectiveStore } from '../features/directives/port.ts'
import type { FilePort } from '../features/files/file-port.ts'
import type { HistoryWindow } from '../features/history/history-window.ts'
import type { AskLinked, LinkServicePort } from '../features/identities/port.ts'
import type { OwnerAnswer, OwnerServicePort } from '../features/owner-question/owner-service-port.ts'
import type { PausePort } from '../features/pause/pause-port.ts'
import type { HomeLink } from '../features/places/home-port.ts'
import type { PlanReport, PlanSpent } from '../features/usage/plan.ts'
import type { DayShare } from '../features/usage/port.ts'
import type { Place } from '../flow/place.ts'
import type { Policy } from '../flow/policy.ts'
import type { Result } from '../flow/verdict.ts'
import type { Patience } from '../inference/attempt.ts'
import type { Budget } from '../inference/budget.ts'
import type { ModelOf } from '../inference/chain.ts'
import type { ModelProvider, StopSignal } from '../inference/provider.ts'
import type { ModelCost } from '../inference/usage.ts'
import type { CallOperation } from '../operations/caller.ts'
import type { DocumentCache } from '../prompt/document/document.ts'
import type { PromptTexts } from '../prompt/parts.ts'
import type { SelfKeeper } from '../self/keeper.ts'
import type { OwnCommandEntry } from '../task/command.ts'
import type { Directory } from '../task/principal.ts'
import type { Template } from '../template/template.ts'
import type { Chats } from '../tool/channel.ts'
import type { ActionManifest, ToolCall, ToolOutcome } from '../tool/manifest.ts'
import type { Registry } from '../tool/registry.ts'
import type { Sealer } from '../vault/sealer.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'
import type { Language } from '../wording/languages.ts'
import type { LikelyTools, Read } from './likely-port.ts'

/** A message to a sink. `id` is stable per delivery, so sending it again replaces the first. */
export interface Delivery {
  readonly id: string
  readonly sink: string
  readonly principal: string
  readonly task: string | null
  readonly turn: number | null
  readonly kind: 'answer' | 'card' | 'notice'
  /** The approval that a card asks for. */
  readonly approval: string | null
  /**
   * Button labels of a card in place of yes and no. `more`: label of the button for the next page of a long card. `options`:
   * number of numbered buttons that replace yes. `again`: label of the only button of a card that expired unanswered.
   */
  readonly buttons?: {
    readonly yes: string
    readonly no: string
    readonly more?: string
    readonly options?: number
    /** Rows that a tap leaves out, numbered as on the card. */
    readonly rows?: number
    readonly again?: string
  }
  /** Buttons below a text that is no question, each with the key of its action (`shell.choose`). */
  readonly offers?: readonly { readonly key: string; readonly label: string }[] | undefined
  readonly text: string
  /**
   * Introduction for a message that an earlier process may have sent before it was
   * killed: a channel that has no stored message id for this delivery puts it first.
   */
  readonly again?: string
  /**
   * The text is the product's own words to the owner, and nothing else: a place may write commands in it as they are typed there.
   */
  readonly own?: true
  /** `describeLabel` of the text. */
  readonly label: string
  readonly at: number
  /**
   * The channel must not fetch an address in the text for a preview, nor create links. Of the answer's markup it may
   * render emphasis and code. A sender whose service does more by default turns that off in the request.
   */
  readonly previews: 'off'
}

/** Runs one tool call: finds the tool, unseals its credential for this call, builds its scoped client. */
export interface ToolPort {
  run(call: Pick<ToolCall, 'action' | 'args' | 'capability'>): Promise<ToolOutcome>
  /**
   * Whether this place can run the action now. `credential`: a credential is missing; `off`: the owner switched its
   * service off.
   */
  availability(action: ActionManifest): 'here' | 'elsewhere' | 'credential' | 'off'
  /** Whether the owner has not yet configured anything that the action could work on. */
  isIdle?(action: ActionManifest): boolean
  /** Name of the credential that a call with these arguments needs and that is missing; null for none. */
  lacks?(action: string, args: ToolCall['args']): string | null
  /** Name of the declared account whose key is added to the requests of such a call, behind the client; null for none. */
  sends?(action: string, args: ToolCall['args']): string | null
}

/**
 * Sends a finished delivery through the channel that holds the sink. Idempotent by `delivery.id`. Temporary refusals
 * (network_failed, response_timeout, remote_unavailable, remote_rate_limited) are retried later, not before the fact
 * `retryAfter` (milliseconds) if the channel gave one; any other refusal is permanent.
 */
export interface SenderPort {
  send(delivery: Delivery): Promise<Result<true>>
  /** Absent where a channel only shows complete answers. */
  readonly drafts?: DraftPort | undefined
  /** Absent where a channel shows no progress. */
  readonly work?: WorkPort | undefined
  /**
   * True if a successful `send` means that the channel accepted the message. On a
   * polled channel it counts as accepted once it was read.
   */
  acknowledges?(sink: string): boolean
  /**
   * Deletes a message in its chat, where the channel can (H-16). Idempotent. Refusals as above, and nothing_found for a
   * message that no longer exists.
   */
  readonly retract?: ((message: Pick<Retraction, 'sink' | 'message'>) => Promise<Result<true>>) | undefined
}

/** Deterministic extraction of a message: typed fields only (C-01, J-01), as declared by `MESSAGE_FIELDS`. */
export interface MessageExtractor extends LikelyTools {
  /**
   * `own`: the owner's own words; connected services are looked for only in these. `again`:
   * the same text is read again in a moment, and that second reading may reuse this one.
   */
  extract(text: string, context: Read & { readonly own?: boolean; readonly again?: boolean }): unknown
}

/** `groups`: the owner's own groups that the contact belongs to; absent for none. */
export interface Contact {
  readonly name: string
  readonly email: string
  readonly groups?: readonly string[]
}

/** The owner's configured facts. The edge has those it is cleared for. */
export interface OwnerProfile {
  readonly timezone: string
  /** Language of the answers; absent: English. */
  readonly language?: Language
  readonly contacts: readonly Contact[]
}

/** The owner's contacts, decrypted, as stored at home. */
export interface ContactBook {
  /** Contacts of the configuration. */
  readonly configured: readonly Contact[]
  /** Replaces the contacts that the owner added in chats. */
  hold(own: readonly Contact[]): void
}

export interface ContactBooks {
  /** Absent at a place that has no contacts. */
  readonly contactBook?: ContactBook
}

/** Epoch milliseconds. */
export interface Clock {
  readonly now: () => number
}

export interface Ids {
  /** Unguessable, unique, at most 40 characters of [a-z0-9]. */
  readonly newId: () => string
}

/** The place where this runs. */
export interface AtPlace {
  readonly place: Place
}

export interface PolicySource {
  readonly policy: () => Policy
}

export interface Principals {
  readonly directory: () => Directory
}

export interface OwnerFacts {
  readonly profile: () => OwnerProfile
}

/** Registered tools and their actions. */
export interface Actions {
  readonly registry: Registry
}

export interface ChatServices {
  /** Services that a chat may belong to. */
  readonly chats: Chats
}

export interface Templates {
  readonly templates: readonly Template[]
}

export interface Texts {
  readonly texts: PromptTexts
}

export interface Documents {
  /**
   * The system documents, each built once per kind of call (P-02): first with the owner's own text, if any; last the
   * program's text only.
   */
  readonly documents: readonly DocumentCache[]
}

export interface Strictness {
  /**
   * True: a broken prompt throws, so that the developer sees it. False, in production: it is repaired and reported
   * (X-32).
   */
  readonly strict: boolean
}

export interface OwnerPrompts {
  /** The owner's own commands, as far as this place may know them (O-21). */
  readonly commands?: readonly OwnCommandEntry[]
}

export interface SelfKnowledge {
  /** The assistant's knowledge of itself at this place (DESIGN §4). */
  readonly self: SelfKeeper
}

/** Kinds of model calls, as the owner may limit their time. `step`: a call inside a plan. */
export const PHASE_NAMES = Object.freeze(['plan', 'step', 'answer', 'notes'] as const)
export type Phase = (typeof PHASE_NAMES)[number]

export interface Models {
  /** Maximum duration of a call including its retries, milliseconds, by phase; only where the owner set a limit. */
  readonly modelTime?: Readonly<Partial<Record<Phase, number>>>
  /** In order of preference; the last is `rules`. */
  readonly models: readonly ModelProvider[]
  /** A provider with another model, where a template names one (D-09). */
  readonly modelOf?: ModelOf
}

export interface Looker {
  /** A vision model, which gets no other requests; absent if there is none (B-27). */
  readonly sees?: ModelProvider | undefined
}

/** Limits on the duration of a model call. */
export interface CallBounds {
  /** Stops the model calls of the running effect when its task is stopped. The lane sets it. */
  readonly stop?: StopSignal
  /** Retries and breakers for failing models. */
  readonly patience: Patience
}

export interface Caps {
  /** Budget for model calls; absent: no limits and no prices. */
  readonly budget?: Budget
  /** Present where several stores share a daily limit. */
  readonly dayShare?: DayShare
}

/** Present at a place whose provider counts what it does. */
export interface Metering {
  /** What was counted since the last call; it is part of the audit line that ends a task. */
  readonly metered?: () => PlanSpent
  readonly plan?: () => Promise<PlanReport | null>
}

export interface CostNotes {
  /** Adds up the cost of model calls for the owner; absent at a place that does not report it. */
  readonly noteCost?: (cost: ModelCost) => void
}

export interface Extraction {
  readonly extractor: MessageExtractor
}

export interface Tools {
  readonly tools: ToolPort
}

export interface Files {
  /** Fetches attached files; absent where no channel delivers files. */
  readonly files?: FilePort
}

export interface Outgoing {
  readonly sender: SenderPort
}

/** What a place adds to a status, besides what both places report. */
export interface PlaceStatus {
  /** Lines in words, with what to do. Contains no content, account or host of the owner's. */
  readonly placeLines?: () => readonly string[]
}

/** The edge's link to home; null at home. */
export interface HomeLine {
  readonly home: HomeLink | null
}

export interface LinkedLines {
  /** Absent where one store holds everything. */
  readonly linked?: AskLinked
}

export interface ChangeNews {
  /** Called on each change of an identity link, before it is durable. */
  readonly linksChanged?: () => void
  /** Called on each change of a grant, before it is durable. */
  readonly grantsChanged?: () => void
  /** Called when the owner's time zone changes, so that the other place is notified. */
  readonly profileChanged?: () => void
  /** Called on each change of a pairing agreement, before it is durable. */
  readonly peopleChanged?: () => void
}

export interface DirectiveFiles {
  /** The owner's directive files. Home only: the edge has none. */
  readonly directives?: DirectiveStore
}

export interface Sealing {
  readonly sealer: Sealer
}

export interface TokenKey {
  /** 32 bytes. Signs this place's capability tokens and derives the boundaries of data blocks (`prompt/outside.ts`). */
  readonly tokenKey: Uint8Array
}

export interface CredentialService {
  /** Receives credentials that the owner gives in a chat; absent at a place that stores none. */
  readonly credentials?: CredentialPort
}

export interface Redaction {
  /** Removes this place's known secrets from a text before a model reads it (E-18). */
  readonly redact: (text: string) => string
}

export interface SecretScan {
  /** Finds those secrets in text that is about to leave. */
  readonly known: KnownSecrets
}

export interface OwnerChats {
  /**
   * The owner's chats for questions that no chat of theirs started, preferred one first (F-18); empty: this place has
   * none.
   */
  readonly adminSinks: readonly string[]
  /**
   * False for a chat of the owner's in which an answer to the question would not be received now; absent where all chats
   * receive it.
   */
  readonly hears?: (sink: string) => boolean
}

export interface AskingTime {
  /** Milliseconds that a question waits for its answer (F-05). */
  readonly approvalTimeout: number
}

export interface HistorySpan {
  /** How much of the conversation a prompt includes (B-18). */
  readonly history: HistoryWindow
}

export interface Pausing {
  /** Whether the owner paused this place; absent at a place that cannot be paused. */
  readonly pause?: PausePort
}

export interface Operations {
  /** Calls operations of this place; absent where there are none. */
  readonly operations?: CallOperation
}

export interface LinkService {
  /** Where the owner ends a link of two accounts. */
  readonly links?: LinkServicePort
}

/** Puts another person's question to the owner. */
export interface OwnerService {
  /** Null or absent where the owner cannot be asked this way. */
  readonly ownerService?: OwnerServicePort | null
}

export interface OwnerAnswers {
  /** Stores the owner's answer to such a question, in the transaction of the answer, until its asker has received it. */
  readonly queueAnswer?: (word: OwnerAnswer) => void
}
