/** Loopback servers and clients for the tool tests: real sockets, scripted answers, everything recorded. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { createScopedHttp, type ScopedHttpOptions } from '../../integrations/http/scoped-client.ts'
import type { ScopedHttp } from '../../kernel/tool/manifest.ts'
import { createPinnedTransport, type Resolver } from '../../sidecar/pages/pinned-transport.ts'
import { serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface LoopbackServer {
  readonly origin: string
  readonly host: string
  readonly seen: Seen[]
}

export type Answer = (request: Seen, response: ServerResponse) => void

/** Ends with the test that started it. */
export async function startServer(answer: Answer): Promise<LoopbackServer> {
  const seen: Seen[] = []
  const served = await serve(({ method = '', url = '', headers }, response, body) => {
    const one = { method, path: url, headers, body }
    seen.push(one)
    answer(one, response)
  })
  const { origin } = closing(served)
  return { origin, host: new URL(origin).host, seen }
}

/** A client over home's real transport. */
export function startClient(
  options: Partial<ScopedHttpOptions> & { readonly resolve?: Resolver } = {},
): ScopedHttp {
  const { resolve, ...rest } = options
  return createScopedHttp({ hosts: ['*'], exemptOrigins: [], transport: startTransport(resolve), ...rest })
}

export function startTransport(resolve?: Resolver): ReturnType<typeof createPinnedTransport> {
  const transport = createPinnedTransport(resolve)
  onTestFinished(() => transport.close())
  return transport
}

export function sendText(response: ServerResponse, body: string | Buffer, type: string, status = 200): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
