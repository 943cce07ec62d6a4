/**
 * Receives the redirect of the browser from a service (RFC 8252 §7.3): one request on this machine's loopback address, with the
 * state that was sent. Must not interpret the query, or serve anything else. Called by consent.ts.
 */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  /** Redirect URI. */
  readonly address: string
  /** The query of the request with this state. */
  arrival(state: string): Promise<URLSearchParams>
  /** Shows these lines in the browser, if it has come, and closes. */
  close(lines: readonly string[]): Promise<void>
}

/** Any free port, for services without a fixed one. */
const ANY = 'http://127.0.0.1:0/'

/** Maximum bytes of a request's headers: a code is short. */
const MAX_HEAD = 8_192

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
}

/** Null if another program uses the port. `wanted`: the exact redirect URI if it is fixed. */
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
      // Refuses a request by another host name, such as one that was pointed at this machine.
      request.headers.host === new URL(address).host &&
      expected !== null &&
      query.get('state') === expected
    if (!isOurs || waiting !== null) return void response.writeHead(404, HEADERS).end()
    waiting = response
    arrived(query)
  }
  const server = createServer({ maxHeaderSize: MAX_HEAD }, answer)
  if (!(await opened(server, Number(port), '127.0.0.1'))) return null
  // `localhost` stands for the IPv4 and the IPv6 address, and a browser may use either, so no other program may listen on the
  // second one.
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

/** False if another program uses the address. True on a machine without IPv6, where no program can use it. */
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
