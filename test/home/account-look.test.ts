/** What `pfar doctor` says of the owner's accounts: each server by itself, in bounded time, without a password. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSilent } from 'node:net'
import { expect, it, test } from 'vitest'
import { parseConfig } from '../../sidecar/config/config.ts'
import { type AccountCheck, lookAtAccounts } from '../../sidecar/doctor/account-look.ts'
import { accountFindings } from '../../sidecar/doctor/account-words.ts'
import { openTls } from '../../sidecar/mail/mail-socket.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { newCertificate, OWNER, startLines } from '../kit/mail-servers.ts'
import { freePort } from '../kit/server.ts'
import { atEnd } from '../kit/stop.ts'

/** Takes connections and never says a word. */
async function silent(): Promise<number> {
  const server = createSilent(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface At {
  readonly imap: number
  readonly smtp: number
  readonly fingerprint: string
  readonly calendar: number
  readonly works?: boolean | null
  readonly has?: boolean
}

async function look({ imap, smtp, fingerprint, calendar, works = true, has = true }: At) {
  const config = parseConfig(`[tools.mail]
address = "${OWNER}"
imap = "nas:${imap}"
smtp = "nas:${smtp}"
[tools.mail.own]
address = "127.0.0.1"
fingerprint = "${fingerprint}"
[[tools.calendar.accounts]]
name = "nas"
kind = "caldav"
server = "http://127.0.0.1:${calendar}"
user = "me"
home = "/me/"`)
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  const transport = createPinnedTransport()
  atEnd(() => transport.close())
  const checks = await lookAtAccounts({
    ...{ config: config.value, manifests: () => [], transport: () => transport },
    ...{ works: () => works, has: () => has },
    nameOf: (credential, account) => (account === null ? credential : `${credential}-${account}`),
  })
  return accountFindings(checks).map(({ part, state, says }) => [part, state, says] as const)
}

test('servers that answer are named, and get no login and no password', async () => {
  const said: string[] = []
  const certificate = newCertificate()
  const listen = (line: string) => void said.push(line)
  const [imap, smtp] = [
    await startLines(certificate, '* OK here', listen),
    await startLines(certificate, '220 here', listen),
  ]
  const web = createServer((request, response) => {
    said.push(...[request.headers.authorization ?? []].flat())
    response.writeHead(401).end()
  })
  const calendar = await freePort()
  await new Promise<void>((resolve) => web.listen(calendar, '127.0.0.1', resolve))
  atEnd(() => void web.close())
  expect(await look({ imap, smtp, fingerprint: certificate.fingerprint, calendar })).toEqual([
    ['mail IMAP', 'ok', `nas:${imap} answers.`],
    ['mail SMTP', 'ok', `nas:${smtp} answers.`],
    ['calendar nas', 'ok', `http://127.0.0.1:${calendar} answers.`],
  ])
  expect(said).toEqual([])
})

test('each server that is off, silent, or another one is told by itself, within ten seconds', async () => {
  const other = newCertificate()
  const began = performance.now()
  const found = await look({
    imap: await silent(),
    smtp: await startLines(newCertificate(), '220 here', () => undefined),
    fingerprint: other.fingerprint,
    calendar: await freePort(),
  })
  expect(found).toEqual([
    ['mail IMAP', 'bad', expect.stringMatching(/does not answer in time|cannot be reached/)],
    ['mail SMTP', 'bad', expect.stringContaining('shows another certificate')],
    ['calendar nas', 'bad', expect.stringContaining('cannot be reached')],
  ])
  expect(performance.now() - began).toBeLessThan(10_000)
}, 15_000)

const CHECK: AccountCheck = {
  ...{ account: 'mail', role: 'IMAP', server: 'nas:993', trouble: null, credential: 'good', renew: 'mail' },
}
it.each([
  ['a password that was refused', { credential: 'refused' }, 'bad', /`pfar secret rotate mail`/],
  ['no password', { credential: 'missing' }, 'bad', /`pfar connect mail`/],
  [
    'no password of a calendar',
    { credential: 'missing', account: 'calendar nas', renew: 'calendar-nas' },
    'bad',
    /connect it again/,
  ],
  [
    'a server that is off before its password',
    { trouble: 'network_failed', credential: 'refused' },
    'bad',
    /cannot be reached/,
  ],
] as const)('%s is told with what to do', (_, over, state, words) => {
  const [finding] = accountFindings([{ ...CHECK, ...over }])
  expect(finding).toMatchObject({ state, says: expect.stringMatching(words) })
})

test('a connection whose certificate is only looked at is closed, and an empty fingerprint fits nobody', async () => {
  const certificate = newCertificate()
  const ended = Promise.withResolvers<void>()
  const port = await startLines(certificate, '* OK here', (_line, socket) => void socket)
  const seen: string[] = []
  const opened = await openTls({ host: 'nas', port }, { address: '127.0.0.1', fingerprint: '' }, (shown) => {
    seen.push(shown)
    ended.resolve()
  })
  await ended.promise
  expect(opened).toMatchObject({ ok: false, reason: { code: 'certificate_changed' } })
  expect(seen).toEqual([certificate.fingerprint])
})

test('of several mailboxes each is named, with its own password', async () => {
  const certificate = newCertificate()
  const port = await startLines(certificate, '* OK here', () => undefined)
  const own = `own = { address = "127.0.0.1", fingerprint = "${certificate.fingerprint}" }`
  const servers = `imap = "nas:${port}"\nsmtp = "nas:${port}"\n${own}`
  const config = parseConfig(
    `[tools.mail]\naddress = "${OWNER}"\n${servers}\n[[tools.mail.accounts]]\naccount = "work"\naddress = "ada@acme.example"\n${servers}`,
  )
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  const checks = await lookAtAccounts({
    ...{ config: config.value, manifests: () => [], transport: () => createPinnedTransport() },
    works: (_, account) => account === null,
    has: (name) => name === 'mail',
    nameOf: (credential, account) => (account === null ? credential : `${credential}-${account}`),
  })
  expect(
    checks.map(({ account, role, trouble, credential, renew }) => [
      account,
      role,
      trouble,
      credential,
      renew,
    ]),
  ).toEqual([
    ['mail example', 'IMAP', null, 'good', 'mail'],
    ['mail example', 'SMTP', null, 'good', 'mail'],
    ['mail work', 'IMAP', null, 'missing', 'mail-work'],
    ['mail work', 'SMTP', null, 'missing', 'mail-work'],
  ])
})
