/**
 * Adapts a request of Node's HTTP server to the routes of app.ts. A route reads the body itself; the body of a refused
 * request stays unread and Node discards it. Must not know any route. Called by listen.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { App, Connection } from './app.ts'

/** Base of all URLs: the host that a request names does not matter. */
const ORIGIN = 'http://home'

export async function answerWith(
  app: App,
  connection: Connection,
  [incoming, outgoing]: readonly [IncomingMessage, ServerResponse],
): Promise<void> {
  const request = requestOf(incoming)
  if (request === null) {
    connection.denied('frame_malformed')
    outgoing.writeHead(400, { connection: 'close' }).end()
    return
  }
  const response = await app.fetch(request, { connection, body: () => textOf(incoming) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.headers.get('content-type') !== 'text/event-stream') {
    outgoing.end(Buffer.from(await response.arrayBuffer()))
    return
  }
  outgoing.flushHeaders()
  // Reads when the client has room, and ends the stream when it disconnects.
  const stream = Readable.fromWeb(response.body as ReadableStream)
  await pipeline(stream, outgoing).catch(() => undefined)
}

/** Null if the URL or the method is invalid. */
function requestOf({ url = '', method = '', headers }: IncomingMessage): Request | null {
  const address = URL.parse(url, ORIGIN)
  if (address?.origin !== ORIGIN) return null
  const single = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  try {
    return new Request(address, { method, headers: single })
  } catch {
    return null
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
