/**
 * A scripted HTTP server on this machine. Knows no test: `closing` (stop.ts) stops it with one. Called by fakes, tests and
 * bench/evaluate/answers.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Handles a request; `body` is the whole body as text. A throw cuts the connection. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

export interface Served {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  readonly port: number
  /** Stops the server and cuts open connections. */
  close(): Promise<void>
}

/** `port`: 0 for any free one. */
export async function serve(answer: Answer, port = 0): Promise<Served> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await answer(request, response, Buffer.concat(chunks).toString('utf8'))
    } catch {
      // The client may have been killed in the meantime.
      response.destroy()
    }
  })
  // Longer than clients pause between requests; otherwise one could use a connection that is just being closed.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${own}`,
    port: own,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A port that was free at the time of the call. */
export async function freePort(): Promise<number> {
  const { port, close } = await serve(() => undefined)
  await close()
  return port
}
