/**
 * What every model adapter is made with: the owner's configuration of the model, and the place's connection to its provider (D-08,
 * S-06). Types only. Read by the factories beside it, filled in by each place's wiring.
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
  /** False for a model whose template has no system role: the system text is then the first of two user messages (N-18). */
  readonly systemRole?: boolean
  /** True for a model whose output starts inside its reasoning, and which marks only the end of it (D-18). */
  readonly startsReasoning?: boolean
  /** Longest silence in milliseconds, before the first byte and between two: a hanging provider must not hold up a task. */
  readonly firstByte?: number
  readonly idle?: number
}

export interface ModelConnection {
  /** Base of the API's paths: `https://api.example/v1`. Requests go to its origin only. */
  readonly baseUrl: string
  /** Origins that may use plain HTTP and private addresses: configured by the owner, such as a model server on this machine. */
  readonly exemptOrigins: readonly string[]
  /** The place's port to the network. */
  readonly transport: Transport
  /** Called once per model call; the key is not stored (invariant 4). Null for a server that needs no key. */
  readonly key: ((call: KeyCall) => Promise<Result<string>>) | null
  /** Reports whether the provider accepted that call's key; not called for any other fault. */
  readonly settled?: (call: KeyCall, use: 'accepted' | 'rejected') => void
}

/** One use of a key, compared by identity: the custodian knows which value it gave for it, even if the key has changed since. */
export type KeyCall = object
