/**
 * Receives the browser that comes back from a service (RFC 8252 §7.3): one request on this machine's loopback address, with the state that
 * was sent along. Must not read what the answer contains, or serve anything else. Called by consent.ts.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  /** Where the browser is to come back. */
  readonly address: string
  /** The query of the request with this state. */
  arrival(state: string): Promise<URLSearchParams>
  /** Answers the browser, if it has come, and ends. */
  close(lines: readonly string[]): Promise<void>
}

/** Bytes of a request's head: a code is short. */
const MAX_HEAD = 8_192

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
}

export async function openLoopback(): Promise<Loopback> {
  let waiting: ServerResponse | null = null
  let expected: string | null = null
  let arrived: (query: URLSearchParams) => void = () => undefined
  const server = createServer({ maxHeaderSize: MAX_HEAD }, (request, response) => {
    const url = URL.parse(request.url ?? '', address)
    const query = url?.searchParams ?? new URLSearchParams()
    const isOurs =
      request.method === 'GET' &&
      url?.pathname === '/' &&
      // A name that was pointed at this machine is no address of it.
      request.headers.host === new URL(address).host &&
      expected !== null &&
      query.get('state') === expected
    if (!isOurs || waiting !== null) return void response.writeHead(404, HEADERS).end()
    waiting = response
    arrived(query)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    address,
    arrival(state) {
      expected = state
      return new Promise((resolve) => {
        arrived = resolve
      })
    },
    async close(lines) {
      const answered = waiting
      if (answered !== null)
        await new Promise<void>((resolve) => answered.writeHead(200, HEADERS).end(page(lines), resolve))
      server.close()
      server.closeAllConnections()
    },
  }
}

function page(lines: readonly string[]): string {
  const said = lines.map((line) => `<p>${escaped(line)}</p>`).join('')
  return `<!doctype html><meta charset="utf-8"><title>PFAR</title>${said}<p>You can close this page.</p>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
