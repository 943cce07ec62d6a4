/**
 * What every adapter of a model is made with: what the owner configured of the model, and the way to its provider that
 * the place gives (D-08, S-06). Types only. Read by the factories beside it, filled in by each place's wiring.
 */
import type { ModelReader } from '../../kernel/flow/policy.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Transport } from '../http/transport.ts'

export interface ModelSettings {
  readonly reader: ModelReader
  /** The provider's own name of it. */
  readonly model: string
  /** Tokens that it reads and writes together. */
  readonly window?: number
  /** False for a model whose template knows no system role: its text is then the first of two user messages (N-18). */
  readonly systemRole?: boolean
  /** True for a model that begins inside its reasoning and marks only the end of it (D-18). */
  readonly startsReasoning?: boolean
  /** Milliseconds without a byte before the first, and between two: a provider that hangs holds nobody up. */
  readonly firstByte?: number
  readonly idle?: number
}

export interface ModelConnection {
  /** Up to the paths of the provider's interface: `https://api.example/v1`. Nothing but its origin is ever asked. */
  readonly baseUrl: string
  /** Origins that may be plain HTTP and private: what the owner configured, such as a model server on this machine. */
  readonly exemptOrigins: readonly string[]
  /** The place's door to the network. */
  readonly transport: Transport
  /** Asked once for each call and kept nowhere (invariant 4); null for a server that wants none. */
  readonly key: ((call: KeyCall) => Promise<Result<string>>) | null
  /** How the provider took the key of that call; told of nothing else that went wrong. */
  readonly settled?: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

/** One use of a key, by identity: whoever gave it out knows which value that was, whatever was given out since. */
export type KeyCall = object
