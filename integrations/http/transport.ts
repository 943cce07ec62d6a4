/**
 * Port to the network: sends exactly one request and follows no redirect. Home's resolves, checks and pins addresses
 * (sidecar/pages/pinned-transport.ts); the edge's is the platform's fetch (durable-objects/platform/fetch-transport.ts). Must not decide which URL is
 * allowed: scoped-client.ts did. Called by scoped-client.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'

export interface TransportRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Text, or bytes of a binary body. */
  readonly body: string | Uint8Array | null
  /** True for an origin that configuration exempts from the rules on https and private addresses. */
  readonly exempt: boolean
  /** Aborts the request and closes its body, read or not. */
  readonly signal: AbortSignal
}

export interface TransportResponse {
  readonly status: number
  /** Names in lower case; repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** Content-decoded bytes. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Refusals: address_private, network_failed (with the fact `sent` if the other side may have received the request); for an exempt
 * origin also certificate_invalid and certificate_changed. Never throws, never follows a redirect.
 */
export interface Transport {
  send(request: TransportRequest): Promise<Result<TransportResponse>>
}
