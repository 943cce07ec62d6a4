/**
 * Interface between `pfar channel connect` and a package's setup: the command asks for tokens, stores them and writes the table;
 * the package finds the chat's owner. Types only. Implemented by setup.ts and setup-edge.ts of the packages; called by
 * sidecar/cli/.
 */
import type { LookupFunction } from 'node:net'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { ScopedHttp } from '../../../kernel/tool/http.ts'
import type { Transport } from '../../http/transport.ts'
import type { ChannelTable, TableFile } from './declaration.ts'

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

export interface SetupWays {
  /** Origin of the service. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: Tokens
  /** Code that the owner sends to prove their identity. */
  readonly code: string
  /** Prints to the terminal. */
  readonly tell: (words: string) => void
}

export interface HomeSetupWays extends SetupWays {
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
  connect(ways: HomeSetupWays): Promise<Result<{ readonly written: boolean }>>
}

/** `why`: the message of the tool that writes the edge's settings. */
export type Given = { readonly ok: true } | { readonly ok: false; readonly why: string }

export interface EdgeSetupWays extends SetupWays {
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
  connect(ways: EdgeSetupWays): Promise<Result<true> | { readonly ok: false; readonly why: string }>
}
