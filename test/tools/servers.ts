/** Loopback servers and clients for the tool tests: real sockets, scripted answers, everything recorded. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { createScopedHttp, type ScopedHttpOptions } from '../../integrations/http/scoped-client.ts'
import type { ScopedHttp } from '../../kernel/tool/http.ts'
import { createPinnedTransport, type Resolver } from '../../sidecar/pages/pinned-transport.ts'

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
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const host = `127.0.0.1:${address.port}`
  return { origin: `http://${host}`, host, seen }
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

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function sendText(response: ServerResponse, body: string | Buffer, type: string, status = 200): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
