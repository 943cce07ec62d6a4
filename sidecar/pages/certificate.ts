/**
 * The certificate of a server on the owner's own network, of its own making: what it shows, and whether it is the one that the owner confirmed. One
 * way for mail and for HTTP. Must not tell the server anything. Called by the sockets of both and by `pfar connect`.
 */
import { connect, type TLSSocket } from 'node:tls'
import { withoutBrackets } from '../../integrations/http/address.ts'

/** Milliseconds. */
const LOOK_TIMEOUT = 8_000
const HTTPS = 443

/** SHA-256 of the certificate that the other side showed; empty if it showed none. */
export function fingerprintOf(socket: TLSSocket): string {
  return socket.getPeerX509Certificate()?.fingerprint256 ?? ''
}

/** Whether this is the code of a socket whose other side could not prove who it is. */
export function isUntrusted(code: string): boolean {
  return /CERT|ISSUER|SELF_SIGNED|ALTNAME|VERIFY/.test(code)
}

export interface Shown {
  readonly fingerprint: string
  /** It is vouched for, and needs nobody to confirm it. */
  readonly trusted: boolean
}

/** What is shown at this address, in figures, before anything is told to it; null where nothing answers with TLS. */
export function lookAt(origin: string): Promise<Shown | null> {
  const { hostname, port } = new URL(origin)
  const at = { host: withoutBrackets(hostname), port: port === '' ? HTTPS : Number(port) }
  return new Promise((resolve) => {
    const socket = connect({ ...at, minVersion: 'TLSv1.2', rejectUnauthorized: false, timeout: LOOK_TIMEOUT })
    const done = (shown: Shown | null): void => {
      resolve(shown)
      socket.destroy()
    }
    socket.once('secureConnect', () =>
      done({ fingerprint: fingerprintOf(socket), trusted: socket.authorized }),
    )
    socket.once('timeout', () => done(null))
    socket.on('error', () => done(null))
  })
}
