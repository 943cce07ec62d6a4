/**
 * Mail servers on this machine, over TLS with a certificate of their own: a real Dovecot for IMAP, a real `smtp-server`, and
 * scripted line servers. Stop with the test or file that started them. Called by tests of mail and bench/mailbox.ts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import type { MailServer, MailSettings } from '../../sidecar/mail/mail-settings.ts'
import { newFolder } from './folder.ts'
import { freePort } from './server.ts'
import { atEnd } from './stop.ts'

export const OWNER = 'owner@example.test'
export const PASSWORD = 'app-password-1'

export const HAS_DOVECOT = existsSync('/usr/sbin/dovecot')

export interface Certificate {
  readonly folder: string
  readonly key: string
  readonly cert: string
  readonly fingerprint: string
}

export function newCertificate(): Certificate {
  const folder = newFolder('mail')
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  })
  return { folder, key, cert, fingerprint: new X509Certificate(readFileSync(cert)).fingerprint256 }
}

/** Settings of the owner's account on these servers, which count as servers in the owner's own network. */
export function settingsAt({ fingerprint }: Certificate, imap: number, smtp: number): MailSettings {
  const at = (port: number): MailServer => ({ host: 'localhost', port })
  return {
    ...{ address: OWNER, user: OWNER, name: null, imap: at(imap), smtp: at(smtp), filesSent: false },
    own: { address: '127.0.0.1', fingerprint },
  }
}

export interface Dovecot {
  readonly port: number
  /** Maildir of the owner. */
  readonly maildir: string
  /** Stops the server before the end of the test. */
  stop(): Promise<void>
}

/** Writes a mail into the owner's inbox, as another program would. `name`: any distinct part of its file name. */
export function putMail(
  { maildir }: Dovecot,
  name: string,
  head: readonly string[],
  body: string,
  to = `${OWNER}, anna@a.example`,
): void {
  const all = [`To: ${to}`, `Message-ID: <m${name}@x.example>`, 'Date: Wed, 25 Nov 2026 10:00:00 +0000']
  const text = [...head, ...all, '', body].join('\r\n')
  writeFileSync(join(maildir, 'new', `17642${name}.M1P1.host`), text, { mode: 0o666 })
}

/** Accepts any user with the password. `user`: the owner of the mailbox that is returned. */
export async function startDovecot(certificate: Certificate, user = OWNER): Promise<Dovecot> {
  const { folder } = certificate
  const port = await freePort()
  const { username, uid, gid } = userInfo()
  const isRoot = uid === 0
  const [runner, group] = isRoot
    ? ['nobody', 'nogroup']
    : [username, execFileSync('id', ['-gn']).toString().trim()]
  const [mailUid, mailGid] = isRoot ? [65_534, 65_534] : [uid, gid]
  const [run, mail] = [join(folder, 'run'), join(folder, 'maildir')]
  for (const path of [run, mail]) mkdirSync(path, { recursive: true })
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(mail, mailUid, mailGid)
  const config = join(folder, 'dovecot.conf')
  writeFileSync(
    config,
    dovecotConfig({ certificate, port, run, mail, user: runner, group, mailUid, mailGid }),
  )
  const child = spawn('/usr/sbin/dovecot', ['-F', '-c', config], { stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  // Stopped before its folder is deleted, since it writes there until it has ended.
  atEnd(stop)
  await answering(port)
  return { port, maildir: join(mail, user), stop }
}

interface DovecotInput {
  readonly certificate: Certificate
  readonly port: number
  readonly run: string
  readonly mail: string
  readonly user: string
  readonly group: string
  readonly mailUid: number
  readonly mailGid: number
}

function dovecotConfig(input: DovecotInput): string {
  const { certificate, port, run, mail, user, group, mailUid, mailGid } = input
  const special = ['Drafts', 'Sent', 'Junk', 'Trash'].map(
    (name) => `  mailbox ${name} {\n    special_use = \\${name}\n    auto = create\n  }`,
  )
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${run}
state_dir = ${run}
log_path = ${join(certificate.folder, 'dovecot.log')}
ssl = required
ssl_cert = <${certificate.cert}
ssl_key = <${certificate.key}
mail_location = maildir:${mail}/%u
first_valid_uid = 1
default_internal_user = ${user}
default_login_user = ${user}
default_internal_group = ${group}
namespace {
  type = public
  separator = /
  prefix = Public/
  location = maildir:${mail}/public
  list = yes
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${mailUid} gid=${mailGid} home=${mail}/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service anvil {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
${special.join('\n')}
}
`
}

async function answering(port: number): Promise<void> {
  const { connect } = await import('node:net')
  for (let left = 100; left > 0; left -= 1) {
    const up = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the mail server does not answer')
}

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

export interface Smtp {
  readonly port: number
  readonly received: Received[]
}

/** A real SMTP server that stores what it accepts. `refuses`: recipients that it rejects. */
export async function startSmtp(
  certificate: Certificate,
  refuses: readonly string[] = [],
  owner = OWNER,
): Promise<Smtp> {
  const received: Received[] = []
  const server = new SMTPServer({
    ...{ secure: true, key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) },
    onAuth: ({ username, password }, _session, done) =>
      username === owner && password === PASSWORD ? done(null, { user: owner }) : done(new Error('no')),
    onRcptTo: ({ address }, _session, done) =>
      refuses.includes(address)
        ? done(Object.assign(new Error('no such user'), { responseCode: 550 }))
        : done(),
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      received.push({ from, to, text: Buffer.concat(chunks).toString('utf8') })
      done()
    },
  })
  server.on('error', () => undefined)
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port, received }
}

/** Answer of a scripted server to a line; null cuts the connection. */
export type Script = (line: string, socket: TLSSocket) => string | null | undefined

/** A server of a line protocol: a greeting, and an answer to each line. Returns its port. */
export async function startLines(
  certificate: Certificate,
  greeting: string,
  script: Script,
): Promise<number> {
  const server = createServer(
    { key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) },
    (socket) => {
      let left = ''
      socket.on('error', () => undefined)
      socket.write(`${greeting}\r\n`)
      socket.on('data', (chunk) => {
        const lines = (left + chunk.toString('latin1')).split('\r\n')
        left = lines.pop() ?? ''
        for (const line of lines) {
          const answer = script(line, socket)
          if (answer === null) return void socket.destroy()
          if (answer !== undefined) socket.write(answer.replace(/\n/g, '\r\n'))
        }
      })
    },
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  return port
}
