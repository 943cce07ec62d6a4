/**
 * Receives the browser that comes back from a service (RFC 8252 §7.3): one request on this machine's loopback address, with the state that
 * was sent along. Must not read what the answer contains, or serve anything else. Called by consent.ts.
 */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  /** Where the browser is to come back. */
  readonly address: string
  /** The query of the request with this state. */
  arrival(state: string): Promise<URLSearchParams>
  /** Answers the browser, if it has come, and ends. */
  close(lines: readonly string[]): Promise<void>
}

/** Where nothing else is wanted: any free port. */
const ANY = 'http://127.0.0.1:0/'

/** Bytes of a request's head: a code is short. */
const MAX_HEAD = 8_192

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
}

/** Null: another program has the port. `wanted`: an address of this machine that has to be exactly that. */
export async function openLoopback(wanted: string | null): Promise<Loopback | null> {
  const { hostname, port, pathname } = new URL(wanted ?? ANY)
  let waiting: ServerResponse | null = null
  let expected: string | null = null
  let arrived: (query: URLSearchParams) => void = () => undefined
  const answer: RequestListener = (request, response) => {
    const url = URL.parse(request.url ?? '', address)
    const query = url?.searchParams ?? new URLSearchParams()
    const isOurs =
      request.method === 'GET' &&
      url?.pathname === pathname &&
      // A name that was pointed at this machine is no address of it.
      request.headers.host === new URL(address).host &&
      expected !== null &&
      query.get('state') === expected
    if (!isOurs || waiting !== null) return void response.writeHead(404, HEADERS).end()
    waiting = response
    arrived(query)
  }
  const server = createServer({ maxHeaderSize: MAX_HEAD }, answer)
  if (!(await opened(server, Number(port), '127.0.0.1'))) return null
  // Where a name stands for both addresses of this machine, a browser may take either: nobody else may have the other one.
  const other = hostname === 'localhost' ? createServer({ maxHeaderSize: MAX_HEAD }, answer) : null
  if (other !== null && !(await opened(other, Number(port), '::1'))) {
    server.close()
    return null
  }
  const address = `http://${hostname}:${(server.address() as AddressInfo).port}${pathname}`
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
      for (const one of [server, ...(other === null ? [] : [other])]) {
        one.close()
        one.closeAllConnections()
      }
    },
  }
}

/** False: another program has the address. A machine without IPv6 has no other program at it. */
function opened(server: Server, port: number, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (failed: NodeJS.ErrnoException) => {
      if (failed.code === 'EADDRINUSE') return resolve(false)
      if (failed.code === 'EADDRNOTAVAIL' || failed.code === 'EAFNOSUPPORT') return resolve(true)
      reject(failed)
    })
    server.listen(port, address, () => resolve(true))
  })
}

function page(lines: readonly string[]): string {
  const said = lines.map((line) => `<p>${escaped(line)}</p>`).join('')
  return `<!doctype html><meta charset="utf-8"><title>PFAR</title>${said}<p>You can close this page.</p>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
