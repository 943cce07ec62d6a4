/**
 * Interface between home and a channel package: a chat of the owner, received while home runs, its activation (H-13), and its setup
 * by `pfar channel connect`, which asks for tokens, stores them and writes the table; the package finds the chat's owner. Types only.
 * Implemented by home.ts and setup.ts of the packages; called by sidecar/.
 */
import type { LookupFunction } from 'node:net'
import type { TapPorts } from '../../../kernel/features/approvals/asking.ts'
import type { DraftPort } from '../../../kernel/features/deliveries/work-port.ts'
import type { FilePort } from '../../../kernel/features/files/file-port.ts'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { OwnerPrompts, SenderPort } from '../../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { Choosing, Deciding, Intake } from '../../../kernel/runtime/shell-port.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'
import type { ScopedHttp } from '../../../kernel/tool/manifest.ts'
import type { Transport } from '../../http/transport.ts'
import type { SyncDatabase } from '../../store/database/database.ts'
import type { ChannelDeclaration, ChannelTable, TableFile } from './declaration.ts'
import type { FileReaders } from './files.ts'

export interface IssuedToken {
  readonly value: string
  readonly version: number
}

/** `rule`: name of the check that a token which does not fit has failed. */
export interface TokenAsked {
  readonly host: string
  readonly fits: (value: string) => boolean
  readonly rule: string
}

/** Unseals one credential of the package for one request at a time (invariant 4). */
export interface TokenCustodian {
  /** Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(asked: TokenAsked): Promise<Result<IssuedToken>>
  /** Reports whether the service accepted it. */
  settle(version: number, use: 'accepted' | 'rejected'): void
  /** Account of the credential: what `of` reads from it, which must not be secret. Refusals: as above; `rule` when `of` reads nothing. */
  whose<T extends string | number>(of: (value: string) => T | null, rule: string): Promise<Result<T>>
}

/** Dependencies of a line while it receives messages. */
export interface LinePorts {
  readonly powers: TapPorts & OwnerPrompts
  readonly shell: Intake & Deciding & Choosing
  /** Runs the owner's tasks, not awaited. */
  readonly drive: () => void
  /** Notifies the owner in this chat. Idempotent by id. */
  readonly notify: (notice: {
    readonly id: string
    readonly sink: string
    readonly code: ReasonCode
    readonly words?: string
  }) => Promise<unknown>
  /** Notifies the owner in another chat. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode; readonly about: string }) => void
  /** Reports a thrown error by the name of the part, without its text. */
  readonly fault: (part: string) => void
}

export interface HomeChannelPorts {
  /** Origin of the service. */
  readonly origin: string
  readonly transport: Transport
  /** Custodian of the credential with this name, which the declaration lists. */
  readonly token: (service: string) => TokenCustodian
  readonly database: SyncDatabase
  /** 32 bytes: key of the buttons' MAC. */
  readonly key: Uint8Array
  /** Readers of binary files. */
  readonly readers: FileReaders
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly table: TableFile
  /** DNS lookup that resolves to public addresses only. */
  readonly lookup: () => LookupFunction
  /** Whether a retry may succeed. */
  readonly isPassing: (code: ReasonCode) => boolean
  /** The refusal if the thrown error came from the disk, else null. */
  readonly diskRefusal: (thrown: unknown) => Refusal | null
  /** Readers of deliveries in home's own outbox. */
  readonly feed: { readonly wake: () => void; readonly drafts: DraftPort }
  /** Available once home is wired; nothing is received before. */
  readonly line: () => LinePorts
}

export interface BotLine {
  /** True while the owner's messages do not arrive, until somebody acts. */
  isUnreachable: boolean
  /** Called with the result of each API call of the bot; set by its line. */
  onResult: (answer: Result<unknown>) => void
}

/** The owner's chat, as home writes to it. */
export interface HomeChat {
  readonly sender: SenderPort
  /** Absent when attachments cannot be fetched. */
  readonly files?: FilePort
  readonly line: BotLine
}

/** Activation of a chat while home runs: checks its credential, finds its owner, starts and stops receiving. */
export interface Activatable {
  readonly adapter: ChannelAdapter
  /** Sink of the owner's chat there. */
  readonly sink: string
  /** Tools that may use its credentials, and hosts that they may be sent to. */
  readonly scope: { readonly tools: readonly string[]; readonly hosts: readonly string[] }
  /** Whether it is configured and receiving. */
  isActive(): boolean
  /**
   * Tries a credential by one harmless call, without storing it. Returns its account, if the service names one. Refusals:
   * credential_rejected, those of the service.
   */
  check(service: string, value: string): Promise<Result<string | null>>
  /** Account of the stored credentials. Refusals: as above, and those of a bot that cannot receive messages. */
  account(): Promise<Result<string>>
  /**
   * Waits until somebody sends the code there or the signal aborts (false); then configures the chat and starts receiving.
   * Refusals: as for `HomeChannels.find`.
   */
  find(code: string, signal: AbortSignal): Promise<Result<boolean>>
  /** Stops receiving. Returns what the owner has to do by hand; null for nothing. */
  leave(): Promise<string | null>
  trouble(refusal: Refusal): string | null
}

export interface HomeChannel {
  readonly declaration: ChannelDeclaration
  /** The chat now; null while there is none. */
  now(): HomeChat | null
  /** The owner, as event sources name them; null while there is no chat. */
  owner(): string | null
  /** Starts receiving for the configured chat, if not started yet. */
  listen(): Promise<void>
  /** Replaces the chat: when it resolves, the former one no longer receives and this one does; null for none. */
  set(table: ChannelTable | null): Promise<void>
  status(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
  /** Null for a channel that is always available. */
  readonly activation: Activatable | null
}

/** A channel package's part at home. `table`: as `config.toml` has it at the start. */
export interface HomePackage {
  readonly declaration: ChannelDeclaration
  /** Loaded on demand; absent where the place needs no setup. */
  readonly setup?: () => Promise<HomeSetup>
  readonly edgeSetup?: () => Promise<EdgeSetup>
  open(ports: HomeChannelPorts, table: ChannelTable | null): Promise<HomeChannel>
}

/** Tokens by the names of their credentials. */
export type Tokens = Readonly<Record<string, string>>

/** Texts of a setup in the terminal. Words for people, and no value. */
export interface SetupWords {
  /** Prompts, one after the other; input is not echoed. */
  readonly prompts: readonly string[]
  /** Why the input is not a token. */
  readonly notTokens: string
  /** What to check when the service refuses the tokens. */
  readonly tokenHint: string
  /** Device on which the owner sends the code. */
  readonly device: string
  /** Success message. */
  readonly done: string
}

export interface ChannelSetup {
  readonly words: SetupWords
  /** Parses everything typed, or read from stdin; null when it is not what was asked for. */
  tokensIn(text: string): Tokens | null
  /** The refusal in the service's own terms, where those say more than the code; else null. */
  trouble(refusal: Refusal): string | null
}

export interface SetupPorts {
  /** Origin of the service. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: Tokens
  /** Code that the owner sends to prove their identity. */
  readonly code: string
  /** Prints to the terminal. */
  readonly tell: (words: string) => void
}

export interface HomeSetupPorts extends SetupPorts {
  /** DNS lookup that resolves to public addresses only. */
  readonly lookup: () => LookupFunction
  /** Stores a credential in the vault. */
  readonly keep: (service: string, value: string) => Promise<Result<unknown>>
  /** Writes the channel's table; false when the owner must do it by hand. */
  readonly write: TableFile['write']
}

export interface HomeSetup extends ChannelSetup {
  /** Why these tokens must not replace the configured channel; null when they may. `tokens`: null before they are asked for. */
  taken(table: ChannelTable, tokens: Tokens | null): string | null
  /**
   * Refusals: credential_rejected and remote_rejected (a token, or its permissions), pairing_refused (nobody sent the code), those
   * of the service and of the vault.
   */
  connect(ports: HomeSetupPorts): Promise<Result<{ readonly written: boolean }>>
}

/** `why`: the message of the tool that writes the edge's settings. */
export type Given = { readonly ok: true } | { readonly ok: false; readonly why: string }

export interface EdgeSetupPorts extends SetupPorts {
  /** Origin of the edge. */
  readonly edge: string
  /** Client for requests to the edge only. */
  readonly http: ScopedHttp
  /** Writes settings and secrets of the edge, by the names of its bindings. */
  readonly give: (values: Readonly<Record<string, string>>) => Promise<Given>
  /** Commands defined by the owner that the edge may know. */
  readonly commands: readonly OwnCommandEntry[]
}

export interface EdgeSetup extends ChannelSetup {
  /** Refusals: those of home's setup, and with `of: 'edge'` those of the edge. */
  connect(ports: EdgeSetupPorts): Promise<Result<true> | { readonly ok: false; readonly why: string }>
}
