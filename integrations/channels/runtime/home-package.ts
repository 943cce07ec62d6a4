/**
 * What home hands to a channel package, and what a package is to home: a chat that its owner may have, listened to while home runs, and
 * the way to activate it (H-13). Types alone. Implemented by each package's home.ts; called by sidecar/channels/.
 */
import type { LookupFunction } from 'node:net'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { DraftPort } from '../../../kernel/powers/draft-port.ts'
import type { FilePort } from '../../../kernel/powers/file-port.ts'
import type { OwnerPrompts, SenderPort } from '../../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { TapPorts } from '../../../kernel/runtime/asking.ts'
import type { Deciding, Intake } from '../../../kernel/runtime/shell-port.ts'
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'
import type { Transport } from '../../http/transport.ts'
import type { SyncDatabase } from '../../store/database.ts'
import type { BotLine } from './bot-line.ts'
import type { ChannelDeclaration, ChannelTable, TableFile } from './declaration.ts'
import type { FileReaders } from './files.ts'
import type { EdgeSetup, HomeSetup } from './home-setup.ts'

export interface IssuedToken {
  readonly value: string
  readonly version: number
}

/** `rule`: what a token that does not fit is not. */
export interface TokenAsked {
  readonly host: string
  readonly fits: (value: string) => boolean
  readonly rule: string
}

/** Unseals one credential of the package's, for one request at a time (invariant 4). */
export interface TokenCustodian {
  /** Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(asked: TokenAsked): Promise<Result<IssuedToken>>
  /** How its service took it. */
  settle(version: number, use: 'accepted' | 'rejected'): void
  /** Whose it is: what `of` reads out of it, which must be no secret. Refusals: as above; `rule` where it reads nothing. */
  whose<T extends string | number>(of: (value: string) => T | null, rule: string): Promise<Result<T>>
}

/** What a line works with while it listens. */
export interface LineWays {
  readonly powers: TapPorts & OwnerPrompts
  readonly shell: Intake & Deciding
  /** Drives the owner's tasks, un-awaited. */
  readonly drive: () => void
  /** To the owner, in this chat of the package's. The same id twice is once. */
  readonly notify: (notice: {
    readonly id: string
    readonly sink: string
    readonly code: ReasonCode
    readonly words?: string
  }) => Promise<unknown>
  /** To the owner, in another chat. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode; readonly about: string }) => void
  /** A part that threw, without its text. */
  readonly fault: (part: string) => void
}

export interface HomeWays {
  /** Of its service. */
  readonly origin: string
  readonly transport: Transport
  /** Of the credential of this name, which the declaration lists. */
  readonly token: (service: string) => TokenCustodian
  readonly database: SyncDatabase
  /** Proves that a button was made here. */
  readonly key: Uint8Array
  /** Of files that are no text. */
  readonly readers: FileReaders
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly table: TableFile
  /** Names resolve to public addresses alone. */
  readonly lookup: () => LookupFunction
  /** Whether it may be over when it is tried again. */
  readonly isPassing: (code: ReasonCode) => boolean
  /** What was thrown, where it was the disk. */
  readonly diskRefusal: (thrown: unknown) => Refusal | null
  /** Whoever reads deliveries out of home's own outbox. */
  readonly feed: { readonly wake: () => void; readonly drafts: DraftPort }
  /** There once home is wired; nothing listens before. */
  readonly line: () => LineWays
}

/** The owner's chat as home writes to it. */
export interface HomeChat {
  readonly sender: SenderPort
  /** Absent where nothing that is sent along can be fetched. */
  readonly files?: FilePort
  readonly line: BotLine
}

/** How a chat is activated and left while home runs: its credential is tried, its owner found, the listening begun and ended. */
export interface Activatable {
  readonly adapter: ChannelAdapter
  /** Its owner's chat there. */
  readonly sink: string
  /** Who may have its credentials, and where they may go. */
  readonly scope: { readonly tools: readonly string[]; readonly hosts: readonly string[] }
  /** Whether it is set up and listened to. */
  isActive(): boolean
  /** By one harmless call with a value that is kept nowhere. Whose account it opens, where the service says. Refusals: credential_rejected, those of the service. */
  check(service: string, value: string): Promise<Result<string | null>>
  /** Whose account the stored credentials open. Refusals: as above, and for one that cannot be listened to. */
  account(): Promise<Result<string>>
  /** Until the code is said there or the signal ends it (false); then sets it up and listens. Refusals: as for `HomeChannels.find`. */
  find(code: string, signal: AbortSignal): Promise<Result<boolean>>
  /** Listens no more. What is left for its owner to do by hand; null for nothing. */
  leave(): Promise<string | null>
  trouble(refusal: Refusal): string | null
}

export interface HomeChannel {
  readonly declaration: ChannelDeclaration
  /** The chat as it is at this moment; null while there is none. */
  now(): HomeChat | null
  /** The owner as sources name him there; null while there is no chat. */
  owner(): string | null
  /** Begins to listen to what is there, where nobody does. */
  listen(): Promise<void>
  /** Listens no more to the former one when it resolves, and to this one from then on; null for none. */
  set(table: ChannelTable | null): Promise<void>
  status(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
  /** Null for one that is always there. */
  readonly activation: Activatable | null
}

/** One package's part of home. `table`: as `config.toml` has it at the start. */
export interface HomePackage {
  readonly declaration: ChannelDeclaration
  /** Loaded when it is asked for; absent where nothing is to be set up at that place. */
  readonly setup?: () => Promise<HomeSetup>
  readonly edgeSetup?: () => Promise<EdgeSetup>
  open(ways: HomeWays, table: ChannelTable | null): Promise<HomeChannel>
}
