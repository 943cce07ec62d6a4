/** A scripted HTTP server on this machine. Knows no test: `closing` (stop.ts) ends it with one. Called by fakes and by tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `body`: all of it, as text. A throw cuts the connection. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

export interface Served {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  readonly port: number
  /** Cuts open connections, too. */
  close(): Promise<void>
}

/** `port`: 0 for one that is free. */
export async function serve(answer: Answer, port = 0): Promise<Served> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await answer(request, response, Buffer.concat(chunks).toString('utf8'))
    } catch {
      // Whoever asked may have been killed meanwhile.
      response.destroy()
    }
  })
  // Longer than a client waits between two requests: else one could meet a connection that is being closed.
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

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { port, close } = await serve(() => undefined)
  await close()
  return port
}
