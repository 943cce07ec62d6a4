/**
 * Home's HTTP transport with DNS pinning: resolves a name, refuses it if any address is not public, and connects only
 * to the addresses that were checked, so that DNS rebinding has no second lookup to answer (I-05). A server of the owner's own
 * network may have a certificate that the owner confirmed: it is told nothing unless it shows exactly that one. Must not follow redirects. Called through integrations/http/scoped-client.ts.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, buildConnector, request as send } from 'undici'
import { isPublicAddress, withoutBrackets } from '../../integrations/http/address.ts'
import type { Transport, TransportRequest, TransportResponse } from '../../integrations/http/transport.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { fingerprintOf, isUntrusted } from './certificate.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Milliseconds to connect: an unreachable address must not use up the time of the whole call. */
const CONNECT_TIMEOUT = 8_000
/** Milliseconds that an idle connection is kept: its address was checked only when it was opened. */
const KEEP_ALIVE = 4_000
/** Most bytes of response headers. */
const MAX_HEADER_BYTES = 32_768

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

class PrivateAddress extends Error {
  readonly code = 'PFAR_PRIVATE_ADDRESS'
}

class OtherCertificate extends Error {
  readonly code = 'PFAR_OTHER_CERTIFICATE'
}

/** A transport with its own connection pool; `close` ends the connections. `certificates`: fingerprints that the owner confirmed, by exempt origin. */
export function createPinnedTransport(
  resolve: Resolver = resolveWithSystem,
  certificates: Readonly<Record<string, string>> = {},
): Transport & { close(): Promise<void> } {
  const common = { keepAliveTimeout: KEEP_ALIVE, maxHeaderSize: MAX_HEADER_BYTES }
  const connect = { timeout: CONNECT_TIMEOUT, allowH2: false }
  const pinned = new Agent({ ...common, connect: { ...connect, lookup: pinnedLookup(resolve) } })
  const exempt = new Agent({ ...common, connect })
  const confirmed = new Map(
    Object.entries(certificates).map(([origin, fingerprint]) => [
      origin,
      new Agent({ ...common, connect: showing(fingerprint, connect) }),
    ]),
  )
  const agentOf = ({ url }: TransportRequest): Agent => confirmed.get(url.origin) ?? exempt
  return {
    send: (request) => sendOnce(request.exempt ? agentOf(request) : pinned, request),
    close: async () => {
      await Promise.all([pinned, exempt, ...confirmed.values()].map((agent) => agent.destroy()))
    },
  }
}

/** Nobody vouches for such a certificate: its fingerprint is the whole check, made before a byte is sent. */
function showing(fingerprint: string, options: buildConnector.BuildOptions): buildConnector.connector {
  // A session that is resumed would not show it again.
  const connect = buildConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 })
  return (to, callback) =>
    connect(to, (...made) => {
      const [error, socket] = made
      if (error !== null || fingerprintOf(socket as TLSSocket) === fingerprint) return callback(...made)
      socket.destroy()
      callback(new OtherCertificate('another certificate than the confirmed one'), null)
    })
}

/** DNS lookup for sockets: checks every address of the name, and returns only checked ones. */
export function pinnedLookup(resolve: Resolver = resolveWithSystem): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const first = found[0]
        if (first === undefined || !found.every(({ address }) => isPublicAddress(address)))
          return callback(new PrivateAddress('name leads to an address that is not public'), '')
        if (options.all === true) return callback(null, [...found])
        callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('not resolved'), ''),
    )
  }
}

/** The connection stood, and broke before an answer came: whether the request arrived, nobody here knows. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])

async function sendOnce(agent: Agent, request: TransportRequest): Promise<Result<TransportResponse>> {
  const host = withoutBrackets(request.url.hostname)
  // An IP literal is never looked up, so the pinned lookup would not check it.
  if (!request.exempt && isIP(host) !== 0 && !isPublicAddress(host)) return err('address_private')
  try {
    const response = await send(request.url, {
      dispatcher: agent,
      method: request.method as 'GET',
      headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' },
      body: request.body,
      signal: request.signal,
    })
    const headers = flatten(response.headers)
    const body = decoded(response.body, headers['content-encoding'])
    return ok({ status: response.statusCode, headers, body })
  } catch (error) {
    if (isPrivateAddress(error)) return err('address_private', { rule: 'resolved' })
    if (error instanceof OtherCertificate) return err('certificate_changed')
    const code = String((error as NodeJS.ErrnoException).code ?? '')
    // Of a server of others nobody here can do anything about it.
    if (request.exempt && isUntrusted(code)) return err('certificate_invalid')
    return err('network_failed', CUT.has(code) ? { sent: 'perhaps' } : {})
  }
}

/** Decompresses while reading, so that the reader's byte limit counts decompressed bytes. */
async function* decoded(body: Readable, encoding: string | undefined): AsyncGenerator<Uint8Array> {
  const decoder = DECODERS.get(encoding?.trim().toLowerCase() ?? '')
  const source = decoder === undefined ? body : body.pipe(decoder())
  const fail = (error: Error): unknown => source.destroy(error)
  if (source !== body) body.once('error', fail)
  try {
    for await (const chunk of source) yield chunk as Uint8Array
  } finally {
    // A destroyed body emits an abort error; without a listener it would be uncaught.
    body.on('error', () => undefined)
    body.destroy()
    source.destroy()
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

function isPrivateAddress(error: unknown): boolean {
  if (error instanceof PrivateAddress) return true
  return error instanceof Error && error.cause !== undefined && isPrivateAddress(error.cause)
}

function resolveWithSystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return systemLookup(hostname, { all: true, verbatim: true })
}
