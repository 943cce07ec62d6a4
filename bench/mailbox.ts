/**
 * Response time of a mailbox of 50,000 mails on a real Dovecot, beside the server's own search over an open connection. `--scale
 * 0.1`: a tenth of the mails. Needs Debian's `dovecot-imapd`. Called by bench/main.ts.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { createMailAccount } from '../sidecar/mail/mail-account.ts'
import {
  HAS_DOVECOT,
  newCertificate,
  OWNER,
  PASSWORD,
  settingsAt,
  startDovecot,
} from '../test/kit/mail-servers.ts'
import { endAll } from '../test/kit/stop.ts'
import { atMost, type Figure, percentile } from './figures.ts'

const MAILS = 50_000
const SAMPLES = 10
/** Maximum time in ms by which an answer may exceed the server's own search. */
const WITHIN = 2_000
/** Word in every thousandth mail. */
const WORD = 'flowerpot'

export async function measureMailbox(scale: number): Promise<readonly Figure[]> {
  if (!HAS_DOVECOT) throw new Error('dovecot-imapd is not installed')
  try {
    const certificate = newCertificate()
    const dovecot = await startDovecot(certificate)
    const account = createMailAccount(settingsAt(certificate, dovecot.port, 1))
    const credential = { scheme: 'bearer', value: PASSWORD } as const
    // The server creates the folders on first access.
    const mailbox = account.open(credential)
    await mailbox.find({ folder: 'inbox', count: 1 })
    const count = Math.round(MAILS * scale)
    for (let n = 0; n < count; n += 1)
      writeFileSync(join(dovecot.maildir, 'new', nameOf(n)), mailOf(n), { mode: 0o666 })
    const ask = async (words?: string): Promise<number> => {
      const begun = performance.now()
      const found = await mailbox.find({ folder: 'inbox', count: 10, ...(words !== undefined && { words }) })
      if (!found.ok || found.value.messages.length === 0) throw new Error('nothing was found')
      return performance.now() - begun
    }
    const first = await ask()
    const own = await serverSearch(dovecot.port)
    const searched: number[] = []
    const listed: number[] = []
    for (let n = 0; n < SAMPLES; n += 1) {
      searched.push(await ask(WORD))
      listed.push(await ask())
    }
    const [search, list, floor] = [searched, listed, own].map((all) => percentile(all, 0.5)) as [
      number,
      number,
      number,
    ]
    const name = `mailbox of ${count.toLocaleString('en')}`
    return [
      { name: `${name}: the first look, while the server reads its new mail`, value: first, unit: 'ms' },
      { name: `${name}: the newest ten`, value: list, unit: 'ms' },
      { name: `${name}: a search, signed in anew`, value: search, unit: 'ms' },
      { name: `${name}: the server’s own search, signed in`, value: floor, unit: 'ms' },
      {
        name: `${name}: what a search takes longer`,
        value: search - floor,
        unit: 'ms',
        bound: atMost(search - floor, WITHIN, `${WITHIN} ms`),
      },
    ]
  } finally {
    await endAll()
  }
}

const nameOf = (n: number): string => `${1_764_200_000 + n}.M${n}P1.host`

function mailOf(n: number): string {
  const at = new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toUTCString().replace('GMT', '+0000')
  const subject = n % 1_000 === 7 ? `About the ${WORD} ${n}` : `Notes of week ${n}`
  const head = [`From: Person ${n % 900} <p${n % 900}@x.example>`, `To: ${OWNER}`, `Subject: ${subject}`]
  return [...head, `Date: ${at}`, `Message-ID: <m${n}@x.example>`, '', `Some words of mail ${n}.`, ''].join(
    '\r\n',
  )
}

/** Durations in ms of the same search, sent to the server over one open connection. */
async function serverSearch(port: number): Promise<readonly number[]> {
  const client = new ImapFlow({
    ...{ host: 'localhost', port, secure: true, logger: false, tls: { rejectUnauthorized: false } },
    auth: { user: OWNER, pass: PASSWORD },
  })
  await client.connect()
  try {
    await client.mailboxOpen('INBOX')
    const samples: number[] = []
    for (let n = 0; n < SAMPLES; n += 1) {
      const begun = performance.now()
      await client.search({ text: WORD })
      samples.push(performance.now() - begun)
    }
    return samples
  } finally {
    await client.logout()
  }
}
