/**
 * The edge's transport: the platform's fetch, one request, no redirect followed. A Worker cannot resolve a name, so the rules on
 * host names (integrations/http/target.ts) are the defence, and Cloudflare routes no private range from a Worker (I-05). Called
 * through integrations/http/scoped-client.ts.
 */
import type { Transport, TransportRequest, TransportResponse } from '../../integrations/http/transport.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export function createFetchTransport(fetchOnce: Fetch = (url, init) => fetch(url, init)): Transport {
  return { send: (request) => sendOnce(fetchOnce, request) }
}

async function sendOnce(fetchOnce: Fetch, request: TransportRequest): Promise<Result<TransportResponse>> {
  try {
    const response = await fetchOnce(request.url.href, {
      method: request.method,
      headers: { ...request.headers },
      body: request.body,
      redirect: 'manual',
      signal: request.signal,
    })
    const headers = Object.fromEntries(
      [...response.headers].map(([name, value]) => [name.toLowerCase(), value]),
    )
    return ok({ status: response.status, headers, body: chunksOf(response.body) })
  } catch (error) {
    // The platform's error text says "lost" when an established connection broke.
    const isCut = error instanceof Error && /\blost\b/i.test(error.message)
    return err('network_failed', isCut ? { sent: 'perhaps' } : {})
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  let finished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      finished = done
      if (done) return
      yield value
    }
  } finally {
    if (!finished) await reader.cancel()
  }
}
