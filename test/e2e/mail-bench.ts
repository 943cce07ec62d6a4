/** A home with the owner's mail at a real Dovecot and a real SMTP server, connected as at a terminal. Called by the end-to-end tests of mail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  type Dovecot,
  newCertificate,
  OWNER,
  PASSWORD,
  type Smtp,
  startDovecot,
  startSmtp,
} from '../kit/mail-servers.ts'
import type { createBench } from './terminal-bench.ts'

type Bench = ReturnType<typeof createBench>

export interface MailServers {
  readonly dovecot: Dovecot
  readonly smtp: Smtp
}

/** The home of this bench is running then. */
export async function connectMail(bench: Bench): Promise<MailServers> {
  await bench.start('--no-demo', '--only', 'home')
  await bench.stop()
  const servers = await connectMailbox(bench, OWNER)
  await bench.start('--no-demo', '--only', 'home')
  return servers
}

/** A mailbox at servers of its own, connected while home does not run. */
export async function connectMailbox(
  bench: Bench,
  address: string,
  ...flags: readonly string[]
): Promise<MailServers> {
  const certificate = newCertificate()
  const dovecot = await startDovecot(certificate, address)
  const smtp = await startSmtp(certificate, [], address)
  const servers = ['--imap', `localhost:${dovecot.port}`, '--smtp', `localhost:${smtp.port}`]
  const own = ['--own-address', '127.0.0.1', '--fingerprint', certificate.fingerprint]
  const args = ['connect', 'mail', address, ...servers, ...own, ...flags, '--allow-development-key']
  const said = await typed(bench, args)
  if (!said.includes('Your mail is connected')) throw new Error(said)
  return { dovecot, smtp }
}

/** With the password on stdin; not waited for in a way that would stop the servers here. */
async function typed({ folder }: Bench, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PFAR_HOME: folder, NO_COLOR: '1', TZ: 'UTC' }
  const child = spawn(process.execPath, ['scripts/pfar.mjs', ...args], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  child.stdin.end(`${PASSWORD}\n`)
  await once(child, 'close')
  return text
}

/** The card of what is asked for, which waits. */
export async function cardAt(
  bench: Bench,
  text: string,
): Promise<{ readonly number: string; readonly card: string }> {
  const { report } = await bench.ask(text)
  if (report.task.state !== 'awaiting_approval') throw new Error(`no card: ${report.reply ?? ''}`)
  const number = String(JSON.parse((await bench.pfar('approvals', '--json')).out).at(-1).number)
  return { number, card: (await bench.pfar('approvals', 'show', number)).out }
}
