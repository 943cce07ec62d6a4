/**
 * Connects to the account's exact host and port, and to nothing else (DESIGN §9): every address of the name must be public, or it is the one
 * address and certificate that the owner confirmed for a server on their own network. Must not send a byte of the account before TLS
 * is verified. Called by imap-client.ts and smtp-client.ts.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isPublicAddress } from '../../integrations/http/address.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { fingerprintOf, isUntrusted } from '../pages/certificate.ts'
import { pinnedLookup } from '../pages/pinned-transport.ts'
import type { MailServer, OwnNetwork } from './mail-settings.ts'

/** Milliseconds to connect, including the handshake: an unreachable server must not use up the time of the whole call. */
const CONNECT_TIMEOUT = 10_000

export const TLS_OPTIONS = Object.freeze({ minVersion: 'TLSv1.2' } as const)

/**
 * TLS from the first byte. `within`: milliseconds, at most `CONNECT_TIMEOUT`. `shown` gets the fingerprint of a server on the own
 * network before it is checked. Refusals: address_private, certificate_invalid, certificate_changed, network_failed.
 */
export async function openTls(
  server: MailServer,
  own: OwnNetwork | null,
  shown: (fingerprint: string) => void = () => undefined,
  within = CONNECT_TIMEOUT,
): Promise<Result<TLSSocket>> {
  const refused = refuses(server, own)
  if (refused !== null) return refused
  const servername = isIP(server.host) === 0 ? { servername: server.host } : {}
  const socket =
    own === null
      ? connectTls({ ...TLS_OPTIONS, ...servername, ...server, lookup: pinnedLookup() })
      : // The fingerprint check below replaces the check of the chain, because such a certificate is self-signed.
        connectTls({
          ...TLS_OPTIONS,
          ...servername,
          port: server.port,
          host: own.address,
          rejectUnauthorized: false,
        })
  const opened = await connected(socket, 'secureConnect', within)
  if (!opened.ok) return opened
  if (own === null) return ok(socket)
  // Read only once: Node returns the certificate of a connection only the first time, and an empty fingerprint never matches.
  const fingerprint = fingerprintOf(socket)
  shown(fingerprint)
  if (fingerprint !== '' && fingerprint === own.fingerprint) return ok(socket)
  socket.destroy()
  return err('certificate_changed')
}

/** For ports on which the protocol itself switches to TLS. Refusals: address_private, network_failed. */
export async function openPlain(server: MailServer): Promise<Result<Socket>> {
  const refused = refuses(server, null)
  if (refused !== null) return refused
  const socket = connectPlain({ ...server, lookup: pinnedLookup() })
  const opened = await connected(socket, 'connect')
  return opened.ok ? ok(socket) : opened
}

/** Checks an IP address here, because it is never resolved, and the pinned lookup would not check it. */
function refuses({ host }: MailServer, own: OwnNetwork | null): ReturnType<typeof err> | null {
  if (own !== null) return null
  return isIP(host) !== 0 && !isPublicAddress(host) ? err('address_private', { rule: 'literal' }) : null
}

function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  within = CONNECT_TIMEOUT,
): Promise<Result<true>> {
  return new Promise((resolve) => {
    const limit = Math.max(0, Math.min(within, CONNECT_TIMEOUT))
    const timer = setTimeout(() => socket.destroy(new Error('too slow')), limit)
    const done = (result: Result<true>): void => {
      clearTimeout(timer)
      resolve(result)
    }
    socket.once(event, () => done(ok(true)))
    // Stays registered, so that an error is always handled while the socket changes its owner.
    socket.on('error', (error) => done(failureOf(error)))
    socket.once('close', () => done(err('network_failed')))
  })
}

function failureOf(error: Error): ReturnType<typeof err> {
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  if (code === 'PFAR_PRIVATE_ADDRESS') return err('address_private', { rule: 'resolved' })
  return isUntrusted(code) ? err('certificate_invalid') : err('network_failed')
}
