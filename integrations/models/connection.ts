/**
 * Input of every model adapter: the owner's settings of the model, and the place's connection to its provider (D-08, S-06).
 * Types only. Read by the factories beside it, filled in by each place's wiring.
 */
import type { ModelReader } from '../../kernel/flow/policy.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Transport } from '../http/transport.ts'

export interface ModelSettings {
  readonly reader: ModelReader
  /** The provider's own name of the model. */
  readonly model: string
  /** Context window: input and output together, in tokens. */
  readonly window?: number
  /** False for a model whose template has no system role: its text is then sent as the first of two user messages (N-18). */
  readonly systemRole?: boolean
  /** True for a model whose output starts inside its reasoning, with only an end mark (D-18). */
  readonly startsReasoning?: boolean
  /** Maximum silence before the first byte, in ms, so that a hanging provider does not hold up a task. */
  readonly firstByte?: number
  /** Maximum silence between two chunks of the answer, in ms. */
  readonly idle?: number
}

export interface ModelConnection {
  /** Base URL of the API: `https://api.example/v1`. Requests go to its origin only. */
  readonly baseUrl: string
  /** Origins allowed plain HTTP and private addresses; configured by the owner, such as a model server on this machine. */
  readonly exemptOrigins: readonly string[]
  /** The place's network port. */
  readonly transport: Transport
  /** Returns the key. Called once per model call; the key is not stored (invariant 4). Null for a server without one. */
  readonly key: ((call: KeyCall) => Promise<Result<string>>) | null
  /** Reports whether the provider accepted the key of that call; not called for any other failure. */
  readonly settled?: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

/** One use of a key, compared by identity: whoever returned it knows which value that was, even if the key has changed. */
export type KeyCall = object
