/**
 * Location of the owner's mail account: exact hosts and ports, as configured. Types and their parsing; must not resolve a name or
 * hold a password. Called by the configuration, `pfar connect mail` and everything in this folder.
 */

/** One server, by name and port. */
export interface MailServer {
  readonly host: string
  readonly port: number
}

/** A server on the owner's own network: only this address is contacted, and only if it shows this certificate. */
export interface OwnNetwork {
  readonly address: string
  /** SHA-256 of the certificate, as colon-separated hex digits. */
  readonly fingerprint: string
}

export interface MailSettings {
  readonly address: string
  /** The owner's name for the mailbox; absent: derived from the address (mail-accounts.ts). */
  readonly account?: string
  readonly user: string
  /** Shown beside the address in what the owner sends. */
  readonly name: string | null
  /** Further sender addresses and the signature; values that the owner sets later in a chat take precedence. */
  readonly also?: readonly string[]
  readonly signature?: string | null
  readonly imap: MailServer
  readonly smtp: MailServer
  /** The server itself files a copy of what it sends. */
  readonly filesSent: boolean
  readonly own: OwnNetwork | null
}

/** Host and port; the host is a name, or an address for a server on the owner's own network. */
export const MAIL_SERVER = /^([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?):([1-9][0-9]{0,4})$/i
/** SHA-256 of a certificate, as colon-separated hex digits. */
export const FINGERPRINT = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/

export function parseServer(text: string): MailServer | null {
  const [, host, port] = MAIL_SERVER.exec(text) ?? []
  return host === undefined || Number(port) > 65_535 ? null : { host: host.toLowerCase(), port: Number(port) }
}

/** In the form that a secret's scope uses. */
export function serverName({ host, port }: MailServer): string {
  return `${host}:${port}`
}

/** Ports on which a connection starts unencrypted and must switch to TLS before anything else is sent (RFC 6409, RFC 3207). */
export function startsPlain({ port }: MailServer): boolean {
  return port === 587 || port === 25
}

/** The configured sender. */
export function senderOf({
  also,
  signature,
}: {
  readonly also?: readonly string[] | undefined
  readonly signature?: string | undefined
}): Pick<MailSettings, 'also' | 'signature'> {
  return { ...(also !== undefined && { also }), ...(signature !== undefined && { signature }) }
}
