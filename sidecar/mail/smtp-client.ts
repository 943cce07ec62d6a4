/**
 * Sends one message to the account's SMTP server, over a socket opened here, always with TLS. Reports exactly what happened:
 * nobody received it, or it is unknown. Must not send twice, or put the server's words into a reason. Called by mail-account.ts.
 */
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential } from '../../kernel/tool/manifest.ts'
import { type MailSettings, startsPlain } from './mail-settings.ts'
import { openPlain, openTls, TLS_OPTIONS } from './mail-socket.ts'

/** Time limits for silence and for the whole, milliseconds: shorter than that of a tool call. */
const SILENCE = 15_000
const WORK_TIME = 25_000
const MAX_REPLY = 65_536

export interface Envelope {
  readonly from: string
  readonly to: readonly string[]
}

type Failed = { readonly ok: false; readonly reason: Refusal }
interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
}

/** Refusals: those of the socket, remote_unauthorized, remote_unavailable, network_failed. */
export async function checkSmtp(settings: MailSettings, credential: Credential): Promise<Result<true>> {
  return withSmtp(settings, credential, async () => ok(true))
}

/**
 * Returns the recipients that the server refused, if it accepted others. Refusals: as above, mail_refused, mailbox_full, and
 * write_outcome_unknown if all bytes were sent and no answer came. Each of the others means that nobody received the message.
 */
export async function sendBySmtp(
  settings: MailSettings,
  credential: Credential,
  { envelope, bytes }: { readonly envelope: Envelope; readonly bytes: Uint8Array },
): Promise<Result<readonly string[]>> {
  const sent = await withSmtp(settings, credential, (connection) => {
    let handedOver = false
    const body = Readable.from([Buffer.from(bytes)], { objectMode: false })
    body.once('end', () => {
      handedOver = true
    })
    return new Promise<Result<readonly string[]>>((resolve) => {
      const { from, to } = envelope
      connection.send({ from, to: [...to], size: bytes.length }, body, (error, info) => {
        if (error) resolve(sendFailure(error as SmtpError, handedOver))
        else resolve(ok((info?.rejected ?? []).map(String)))
      })
      // The connection ended without any event of the send, such as by the timer.
      connection.once('end', () => resolve(sendFailure({}, handedOver)))
    })
  })
  if (sent.ok || sent.reason.code === 'write_outcome_unknown') return sent
  return err(sent.reason.code, { ...sent.reason.facts, done: 'nothing' })
}

async function withSmtp<T>(
  settings: MailSettings,
  { value: pass }: Credential,
  work: (connection: SMTPConnection) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { smtp, own, user } = settings
  const ends = performance.now() + WORK_TIME
  const plain = own === null && startsPlain(smtp)
  const opened = plain ? await openPlain(smtp) : await openTls(smtp, own)
  if (!opened.ok) return opened
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    ...{ host: smtp.host, port: smtp.port, connection: opened.value, name: 'localhost' },
    ...(plain ? { requireTLS: true } : { secure: true, secured: true }),
    tls: { ...TLS_OPTIONS, servername: smtp.host },
    ...{ greetingTimeout: SILENCE, socketTimeout: SILENCE, maxResponseSize: MAX_REPLY, logger: false },
  })
  const broken = new Promise<Failed>((resolve) => {
    connection.on('error', (error) => resolve(loginFailure(error as SmtpError)))
    connection.once('end', () => resolve(err('network_failed')))
  })
  const timer = setTimeout(() => connection.close(), Math.max(0, ends - performance.now()))
  try {
    const ready = await Promise.race([broken, called((done) => connection.connect(done))])
    if (!ready.ok) return ready
    const credentials = { user, pass }
    const known = await Promise.race([broken, called((done) => connection.login({ credentials }, done))])
    if (!known.ok) return known
    const done = await work(connection)
    connection.quit()
    return done
  } finally {
    clearTimeout(timer)
    connection.close()
    opened.value.destroy()
  }
}

function called(start: (done: (error?: Error | null) => void) => void): Promise<Result<true>> {
  return new Promise((resolve) =>
    start((error) => resolve(error ? loginFailure(error as SmtpError) : ok(true))),
  )
}

function loginFailure({ code = '', responseCode = 0 }: SmtpError): Failed {
  // 454 and 421 are about the server, not the password.
  if (code === 'EAUTH') return responseCode >= 500 ? err('remote_unauthorized') : err('remote_unavailable')
  if (code === 'ETLS') return err('certificate_invalid')
  if (responseCode >= 400) return err('remote_unavailable', { status: responseCode })
  return code === 'ETIMEDOUT' ? err('response_timeout') : err('network_failed')
}

/** With a reply the outcome is the server's; without one it depends on whether the end of the message was sent. */
function sendFailure({ code = '', responseCode = 0 }: SmtpError, handedOver: boolean): Failed {
  if (responseCode === 452 || responseCode === 552) return err('mailbox_full', { status: responseCode })
  if (responseCode >= 400) return err('mail_refused', { status: responseCode })
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return err('mail_refused')
  return handedOver ? err('write_outcome_unknown', { after: 'network_failed' }) : err('network_failed')
}
