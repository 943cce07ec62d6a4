/**
 * What `pfar channel connect` and a package's setup are to each other: the command asks for tokens, keeps them and writes the table, the
 * package finds whose chat it is. Types alone. Implemented by setup.ts and setup-edge.ts of the packages; called by sidecar/cli/.
 */
import type { LookupFunction } from 'node:net'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { ScopedHttp } from '../../../kernel/tool/http.ts'
import type { Transport } from '../../http/transport.ts'
import type { ChannelTable, TableFile } from './declaration.ts'

/** By the names of the credentials. */
export type Tokens = Readonly<Record<string, string>>

/** What a setup says in the terminal of whoever runs it. Words for people, and no value. */
export interface SetupWords {
  /** Asked one after the other, without an echo. */
  readonly prompts: readonly string[]
  /** Why what was typed is none. */
  readonly notTokens: string
  /** What to look at where its service refuses them. */
  readonly tokenHint: string
  /** What the owner takes up to send the code. */
  readonly device: string
  /** That all is done. */
  readonly done: string
}

export interface ChannelSetup {
  readonly words: SetupWords
  /** Out of all that was typed, or read from stdin; null where they are not what is asked for. */
  tokensIn(text: string): Tokens | null
  /** In the service's own terms, where those say more than the code. */
  trouble(refusal: Refusal): string | null
}

export interface SetupWays {
  /** Of its service. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: Tokens
  /** What its owner sends to show who he is. */
  readonly code: string
  /** In the terminal. */
  readonly tell: (words: string) => void
}

export interface HomeSetupWays extends SetupWays {
  /** Names resolve to public addresses alone. */
  readonly lookup: () => LookupFunction
  /** Puts a credential into the vault. */
  readonly keep: (service: string, value: string) => Promise<Result<unknown>>
  /** Writes whose line it is; false where that must be done by hand. */
  readonly write: TableFile['write']
}

export interface HomeSetup extends ChannelSetup {
  /** Why these may not take the place of what the table names; null where they may. `tokens`: null before they are asked for. */
  taken(table: ChannelTable, tokens: Tokens | null): string | null
  /** Refusals: credential_rejected and remote_rejected (a token, or what it may do), pairing_refused (nobody sent the code), those of the service and of the vault. */
  connect(ways: HomeSetupWays): Promise<Result<{ readonly written: boolean }>>
}

/** `why`: in words of the tool that gives the edge its settings. */
export type Given = { readonly ok: true } | { readonly ok: false; readonly why: string }

export interface EdgeSetupWays extends SetupWays {
  /** Origin of the edge. */
  readonly edge: string
  /** For the edge alone. */
  readonly http: ScopedHttp
  /** Gives the edge settings and secrets, by the names of its bindings. */
  readonly give: (values: Readonly<Record<string, string>>) => Promise<Given>
  /** Commands of the owner's own that the edge may know. */
  readonly commands: readonly OwnCommandEntry[]
}

export interface EdgeSetup extends ChannelSetup {
  /** Refusals: those of a home's setup, and with `of: 'edge'` those of the edge. */
  connect(ways: EdgeSetupWays): Promise<Result<true> | { readonly ok: false; readonly why: string }>
}
