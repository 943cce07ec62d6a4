/**
 * What a place hands to the kernel, by noun: small ports, for everything that does I/O, reads a clock or is random (invariant 8). A function
 * of the kernel takes those that it uses and those of what it calls, so its signature says what it can touch. Types alone. What is kept is in
 * stores.ts, what is called back with ports in tier-port.ts and channel-port.ts; all-powers.ts joins them all.
 */

import type { CredentialPort } from '../features/credentials/credential-port.ts'
import type { DraftPort } from '../features/deliveries/draft-port.ts'
import type { Retraction } from '../features/deliveries/retraction-port.ts'
import type { WorkPort } from '../features/deliveries/work-port.ts'
import type { DirectiveStore } from '../features/directives/directive-port.ts'
import type { FilePort } from '../features/files/file-port.ts'
import type { HistoryWindow } from '../features/history/history-window.ts'
import type { LinkDeskPort } from '../features/identities/link-desk-port.ts'
import type { AskLinked } from '../features/identities/linked-port.ts'
import type { GivenWord, OwnerDeskPort } from '../features/owner-question/owner-desk-port.ts'
import type { PausePort } from '../features/pause/pause-port.ts'
import type { HomeLink } from '../features/places/home-port.ts'
import type { DayShare } from '../features/usage/day-share-port.ts'
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
import type { OwnCommandEntry } from '../task/command.ts'
import type { Directory } from '../task/principal.ts'
import type { Template } from '../template/template.ts'
import type { Chats } from '../tool/channel.ts'
import type { ActionManifest, ToolCall, ToolOutcome } from '../tool/manifest.ts'
import type { Registry } from '../tool/registry.ts'
import type { Sealer } from '../vault/sealer.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'

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

/** Epoch milliseconds. */
export interface Clock {
  readonly now: () => number
}

export interface Ids {
  /** Unguessable, unique, at most 40 characters of [a-z0-9]. */
  readonly newId: () => string
}

/** Where this runs. */
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

/** What tools can do. */
export interface Actions {
  readonly registry: Registry
}

export interface ChatServices {
  /** Services that a chat may be at. */
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
   * The system document as it is built for one kind of call, once (P-02): with the owner's own words first, where there
   * are any; the program's alone last.
   */
  readonly documents: readonly DocumentCache[]
}

export interface Strictness {
  /** True where a broken prompt is to stop whoever broke it; false in production, which repairs it and says so. */
  readonly strict: boolean
}

export interface OwnerPrompts {
  /** Commands of the owner's making, as far as this place may know them (O-21). */
  readonly commands?: readonly OwnCommandEntry[]
}

export interface SelfKnowledge {
  /** What the assistant knows of itself here (DESIGN §4). */
  readonly self: SelfKeeper
}

export interface Models {
  /** In order of preference; the last is `rules`. */
  readonly models: readonly ModelProvider[]
  /** Another model of one of their providers, where a template names it (D-09). */
  readonly modelOf?: ModelOf
}

export interface Looker {
  /** Looks at pictures, and is asked nothing else; absent where nobody does (B-27). */
  readonly sees?: ModelProvider | undefined
}

/** How long a model call may go on. */
export interface CallBounds {
  /** Ends the model calls of the row that runs, where its task is stopped; the lane adds it. */
  readonly stop?: StopSignal
  /** What this place has for models that fail. */
  readonly patience: Patience
}

export interface Caps {
  /** What models may cost here; no caps and no prices where it is absent. */
  readonly budget?: Budget
  /** Where several stores share the caps of a day. */
  readonly dayShare?: DayShare
}

export interface CostNotes {
  /** Adds up what model calls cost, for the owner; absent at a place that nobody asks. */
  readonly noteCost?: (cost: ModelCost) => void
}

export interface Extraction {
  readonly extractor: MessageExtractor
}

export interface Tools {
  readonly tools: ToolPort
}

export interface Files {
  /** Fetches what came with a message; absent where no channel hands over files. */
  readonly files?: FilePort
}

export interface Outgoing {
  readonly sender: SenderPort
}

/** The edge's way to home; null at home. */
export interface HomeLine {
  readonly home: HomeLink | null
}

export interface LinkedLines {
  /** Absent where one store holds all. */
  readonly linked?: AskLinked
}

export interface ChangeNews {
  /** Told of each change of an identity link, before it is durable. */
  readonly linksChanged?: () => void
  /** The same, of a grant. */
  readonly grantsChanged?: () => void
  /** The same, of a pairing agreement. */
  readonly peopleChanged?: () => void
}

export interface DirectiveFiles {
  /** The owner's directive files. Home's alone: the edge holds none of it. */
  readonly directives?: DirectiveStore
}

export interface Sealing {
  readonly sealer: Sealer
}

export interface TokenKey {
  /** 32 bytes; signs this place's capability tokens, and makes the boundaries of data blocks (`prompt/boundary.ts`). */
  readonly tokenKey: Uint8Array
}

export interface CredentialDesk {
  /** Where credentials that the owner gives in a chat go; absent at a place that keeps none. */
  readonly credentials?: CredentialPort
}

export interface Redaction {
  /** Takes the secrets that this place knows out of a text, before a model reads it (E-18). */
  readonly redact: (text: string) => string
}

export interface SecretScan {
  /** Where those secrets stand in what is about to leave. */
  readonly known: KnownSecrets
}

export interface OwnerChats {
  /**
   * The owner's chats for questions that nobody asked in one of theirs, the preferred one first (F-18); none: this place has
   * none.
   */
  readonly adminSinks: readonly string[]
  /** False for a chat of theirs in which an answer would not be heard now; absent where all are. */
  readonly hears?: (sink: string) => boolean
}

export interface AskingTime {
  /** Milliseconds that a question waits for its answer (F-05). */
  readonly approvalTimeout: number
}

export interface HistorySpan {
  /** How much of the conversation a prompt takes along (B-18). */
  readonly history: HistoryWindow
}

export interface Pausing {
  /** Whether the owner has this place pause; absent at one that goes on always. */
  readonly pause?: PausePort
}

export interface Operations {
  /** Calls operations of this place; absent where there are none. */
  readonly operations?: CallOperation
}

export interface LinkDesk {
  /** Where the owner ends a link of two accounts. */
  readonly links?: LinkDeskPort
}

/** Of whoever asks for a word of the owner's. */
export interface OwnerDesk {
  /** Null or absent where nobody can be asked in this way. */
  readonly ownerDesk?: OwnerDeskPort | null
}

export interface GivenWords {
  /** Keeps what the owner said to such a question, in the transaction of the answer, until its asker has it. */
  readonly wordGiven?: (word: GivenWord) => void
}
