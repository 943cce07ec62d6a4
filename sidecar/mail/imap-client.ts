/**
 * One login at the account's IMAP server, for one piece of work: imapflow over a socket opened here. Must not stay logged in, or
 * put the server's words into a reason. Called by imap-mailbox.ts, mail-account.ts and imap-watch.ts, which alone stays logged
 * in.
 */
import type { Socket } from 'node:net'
import type { ImapFlow, ImapFlowError } from 'imapflow'
import { err, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential } from '../../kernel/tool/manifest.ts'
import type { MailSettings } from './mail-settings.ts'
import { openTls } from './mail-socket.ts'

/** Time limit of one piece of work, milliseconds: shorter than that of a tool call, so that no login outlives its call. */
const WORK_TIME = 25_000
const SILENCE = 15_000
/** Maximum bytes of one literal and of one response: a server must not fill the memory of home. */
const MAX_LITERAL = 8_000_000
const MAX_RESPONSE = 16_000_000
/** Server codes about the account that do not mean a wrong password (RFC 5530). */
const NOT_NOW: readonly string[] = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN']

export type Failed = { readonly ok: false; readonly reason: Refusal }

/** Uses a socket on which nothing was sent yet. `silence`: milliseconds. */
export async function imapOver(
  { imap, user }: MailSettings,
  credential: Credential,
  { socket, silence }: { readonly socket: Socket; readonly silence: number },
): Promise<ImapFlow> {
  // Loaded on demand, so that a home without mail does not keep it in memory.
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    ...{ host: imap.host, port: imap.port, secure: true, auth: { user, pass: credential.value } },
    ...{ logger: false, disableAutoIdle: true, clientInfo: { name: 'pfar' } },
    ...{ greetingTimeout: SILENCE, socketTimeout: silence },
    ...{ maxLiteralSize: MAX_LITERAL, maxLineLength: MAX_LITERAL, maxResponseSize: MAX_RESPONSE },
    transport: {
      connect: (_options, onConnect) => {
        setImmediate(onConnect)
        return socket
      },
    },
  })
  client.on('error', () => undefined)
  return client
}

/**
 * `time`: milliseconds, including the connection. Refusals: those of `openTls`, remote_unauthorized, mailbox_full,
 * remote_rejected, remote_unavailable, network_failed.
 */
export async function withImap<T>(
  settings: MailSettings,
  credential: Credential,
  work: (client: ImapFlow) => Promise<Result<T>>,
  time = WORK_TIME,
): Promise<Result<T>> {
  const ends = performance.now() + Math.min(time, WORK_TIME)
  const opened = await openTls(settings.imap, settings.own, undefined, time)
  if (!opened.ok) return opened
  const socket = opened.value
  const client = await imapOver(settings, credential, { socket, silence: SILENCE })
  const timer = setTimeout(() => client.close(), Math.max(0, ends - performance.now()))
  try {
    await client.connect()
    const done = await work(client)
    await client.logout().catch(() => undefined)
    return done
  } catch (error) {
    return imapFailure(error)
  } finally {
    clearTimeout(timer)
    client.close()
    socket.destroy()
  }
}

/** Drops the server's words and maps its codes, which are a closed list. */
export function imapFailure(error: unknown): Failed {
  const { authenticationFailed, serverResponseCode = '', responseStatus, code = '' } = asImapError(error)
  if (NOT_NOW.includes(serverResponseCode)) return err('remote_unavailable')
  if (authenticationFailed === true) return err('remote_unauthorized')
  if (serverResponseCode === 'OVERQUOTA' || serverResponseCode === 'APPENDLIMIT') return err('mailbox_full')
  if (serverResponseCode === 'NONEXISTENT' || serverResponseCode === 'TRYCREATE')
    return err('mail_folder_missing')
  if (responseStatus === 'NO' || responseStatus === 'BAD') return err('remote_rejected')
  if (/TooLarge|TooMany/.test(code)) return err('response_too_large')
  return /TIMEOUT/i.test(code) ? err('response_timeout') : err('network_failed')
}

/** Whether a failed write may have been executed: the server sent no answer. */
export function isUnanswered({ code }: Refusal): boolean {
  return code === 'network_failed' || code === 'response_timeout'
}

function asImapError(error: unknown): Partial<ImapFlowError> {
  return error instanceof Error ? (error as ImapFlowError) : {}
}
