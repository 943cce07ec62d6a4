/** The owner's address books at a real CardDAV server and at scripted ones: found, read, looked through, and what is refused (RFC 6352). */
import type { ServerResponse } from 'node:http'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAddressbookTool } from '../../integrations/tools/addressbook/run.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createAddressbookAccounts } from '../../sidecar/addressbook/addressbook-accounts.ts'
import type { CarddavSettings } from '../../sidecar/addressbook/addressbook-settings.ts'
import { findBooks } from '../../sidecar/addressbook/find-books.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { type CaldavServer, HAS_RADICALE, PASSWORD, startRadicale, USER } from '../kit/caldav-server.ts'
import { sendJson } from '../kit/server.ts'
import { NO_BREAKER, outputOf, refusal, tokenFor } from '../tools/calls.ts'
import { type Seen, startServer } from '../tools/servers.ts'

interface Bench {
  readonly accounts?: readonly CarddavSettings[]
  readonly secrets: Readonly<Record<string, string>>
  /** Origin of a scripted Google. */
  readonly google?: string
}

function list(
  { accounts = [], secrets, google }: Bench,
  args: Readonly<Record<string, Json>> = {},
): Promise<Result<Json>> {
  const addressbooks = { accounts: createAddressbookAccounts(accounts), withoutGoogle: google === undefined }
  const tool = createAddressbookTool({ addressbooks, ...(google !== undefined && { baseUrl: google }) })
  const port = createToolPort({
    ...{ place: 'home', tools: [tool], transport: createPinnedTransport(), exemptOrigins: [] },
    ownOrigins: {
      addressbook: [...accounts.map(({ server }) => server), ...(google === undefined ? [] : [google])],
    },
    checkToken: () => ({ allow: true }) as never,
    credentials: {
      has: () => true,
      async issue({ credential, account }) {
        const value = secrets[account ?? credential]
        const server = accounts.find((one) => one.name === account)?.server ?? google ?? ''
        return value === undefined
          ? err('credential_missing', { credential })
          : ok({
              credential: { scheme: 'bearer', value },
              hosts: [new URL(server).host],
              settle: () => undefined,
            })
      },
    },
    ...{ redact: (value) => value, breaker: NO_BREAKER },
  })
  const declared = tool.manifest.actions[0]
  if (declared === undefined) throw new Error('no action')
  const action = 'addressbook.list'
  return port
    .run({ action, args, capability: tokenFor(action) })
    .then((outcome) => (outcome.ok ? parseFields(declared.output, outcome.output, 'refuse') : outcome))
}

const card = (...lines: readonly string[]): string =>
  `BEGIN:VCARD\nVERSION:3.0\n${lines.join('\n')}\nEND:VCARD\n`
const namesIn = (result: Result<Json>): readonly string[] =>
  (outputOf(result)['people'] as readonly { readonly name: string; readonly email: string }[]).map(
    ({ name, email }) => `${name} ${email}`,
  )

describe.runIf(HAS_RADICALE)('at a Radicale', () => {
  let radicale: CaldavServer
  let settings: CarddavSettings
  const login = { user: USER, password: PASSWORD, transport: createPinnedTransport() }

  beforeAll(async () => {
    radicale = await startRadicale()
    await radicale.calendar('work', 'Work')
    settings = { name: 'nas', server: radicale.origin, user: USER, home: `/${USER}/` }
  })

  it('finds no address book where there is none', async () => {
    expect(await findBooks(new URL(radicale.origin), login)).toEqual(
      refusal('remote_not_found', { rule: 'addressbook' }),
    )
  })

  it('finds the books from the address of the server alone, and says a wrong password', async () => {
    const friends = await radicale.addressbook('friends', 'Friends')
    const office = await radicale.addressbook('office', 'Office')
    await radicale.put(`${friends}tom.vcf`, card('UID:tom', 'FN:Tom Baker', 'EMAIL:tom@baker.example'))
    await radicale.put(
      `${friends}jane.vcf`,
      card('UID:jane', 'FN:Jane Roe', 'N:Roe;Jane;;;', 'EMAIL:jane@roe.example'),
    )
    await radicale.put(`${office}jane.vcf`, card('UID:jane2', 'FN:J Roe', 'EMAIL:Jane@roe.example'))
    await radicale.put(`${office}none.vcf`, card('UID:none', 'FN:Without Address', 'TEL:+49 30 1'))
    expect(await findBooks(new URL(radicale.origin), login)).toMatchObject({
      ok: true,
      value: { server: radicale.origin, home: `/${USER}/`, books: [{ name: 'Friends' }, { name: 'Office' }] },
    })
    expect(await findBooks(new URL(radicale.origin), { ...login, password: 'wrong' })).toMatchObject(
      refusal('remote_unauthorized', { status: 401 }),
    )
  })

  it('reads all books, each address once', async () => {
    const read = await list({ accounts: [settings], secrets: { nas: PASSWORD } })
    expect(namesIn(read)).toEqual(['Jane Roe jane@roe.example', 'Tom Baker tom@baker.example'])
    expect(outputOf(read)).toMatchObject({ count: 2, more: false })
  })

  it('looks for somebody, and takes the words of the owner for no markup', async () => {
    const bench = { accounts: [settings], secrets: { nas: PASSWORD } }
    expect(namesIn(await list(bench, { who: 'baker tom' }))).toEqual(['Tom Baker tom@baker.example'])
    expect(namesIn(await list(bench, { who: '<D:prop/>&"' }))).toEqual([])
  })

  it('says which account it could not read', async () => {
    const other = { ...settings, name: 'other' }
    const read = await list({ accounts: [settings, other], secrets: { nas: PASSWORD, other: 'wrong' } })
    expect(outputOf(read)).toMatchObject({ count: 2, unread: 'other' })
    expect(await list({ accounts: [other], secrets: { other: 'wrong' } })).toEqual(
      refusal('remote_unauthorized', { status: 401 }),
    )
  })
})

const BOOK =
  '<D:response><D:href>/b/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/><C:addressbook/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>'
const xml = (inner: string): string =>
  `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">${inner}</D:multistatus>`
const row = (path: string, prop: string): string =>
  `<D:response><D:href>${path}</D:href><D:propstat><D:prop>${prop}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const multi = (response: ServerResponse, inner: string): unknown =>
  response.writeHead(207, { 'content-type': 'application/xml' }).end(xml(inner))

describe('at a scripted server', () => {
  async function reading(report: (seen: Seen, response: ServerResponse) => unknown, args = {}) {
    const server = await startServer((seen, response) => {
      if (seen.method === 'PROPFIND' && seen.path === '/home/') return void multi(response, BOOK)
      report(seen, response)
    })
    const account = { name: 'nas', server: server.origin, user: USER, home: '/home/' }
    return { server, answer: await list({ accounts: [account], secrets: { nas: PASSWORD } }, args) }
  }
  const cardRow = (at: number): string =>
    row(`/b/${at}.vcf`, `<C:address-data>${card('FN:Tom', `EMAIL:t${at}@b.example`)}</C:address-data>`)

  it('asks for a book that is too large for one answer in batches, and for no more than it reads', async () => {
    const all = Array.from({ length: 8_000 }, (_, at) => at)
    const { server, answer } = await reading((seen, response) => {
      if (seen.body.includes('addressbook-query')) return response.writeHead(207).end('x'.repeat(6_000_000))
      if (seen.method === 'PROPFIND')
        return multi(response, all.map((at) => row(`/b/${at}.vcf`, '<D:getetag>1</D:getetag>')).join(''))
      const asked = [...seen.body.matchAll(/\/b\/(\d+)\.vcf/g)].map(([, at]) => cardRow(Number(at)))
      return multi(response, asked.join(''))
    })
    expect(outputOf(answer)).toMatchObject({ count: 2_000, more: true })
    expect(server.seen.filter(({ body }) => body.includes('multiget')).length).toBeLessThanOrEqual(50)
  })

  it('refuses a book of 100,000 cards that no answer holds, and still finds one person in it', async () => {
    const flood = (seen: Seen, response: ServerResponse) =>
      seen.body.includes('Tom')
        ? multi(response, cardRow(1))
        : response.writeHead(207).end('x'.repeat(6_000_000))
    expect((await reading(flood)).answer).toMatchObject({ ok: false, reason: { code: 'response_too_large' } })
    expect(namesIn((await reading(flood, { who: 'Tom' })).answer)).toEqual(['Tom t1@b.example'])
  })

  it('gives what it has read of many books at a slow server, and says that there is more', async () => {
    const asked: string[] = []
    const clock = performance.now.bind(performance)
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock() + asked.length * 9_000)
    onTestFinished(() => spy.mockRestore())
    const books = Array.from({ length: 20 }, (_, at) => BOOK.replace('/b/', `/b${at}/`)).join('')
    const server = await startServer((seen, response) => {
      if (seen.method === 'PROPFIND') return void multi(response, books)
      asked.push(seen.path)
      multi(response, cardRow(asked.length))
    })
    const account = { name: 'nas', server: server.origin, user: USER, home: '/home/' }
    const answer = await list({ accounts: [account], secrets: { nas: PASSWORD } })
    expect(outputOf(answer)).toMatchObject({ count: 3, more: true })
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['a redirect to another server', 302, 'host_not_allowed'],
    ['a refusal', 403, 'remote_rejected'],
    ['an outage', 503, 'remote_unavailable'],
    ['what is no multistatus', 200, 'tool_result_invalid'],
  ])('%s is told by its reason', async (_, status, code) => {
    const { answer } = await reading((_, response) =>
      response.writeHead(status, { location: 'https://evil.example.com/' }).end('<x/>'),
    )
    expect(answer).toMatchObject({ ok: false, reason: { code } })
  })

  it('does not send the password to another server that answers with its books', async () => {
    const other = await startServer((_, response) => response.writeHead(500).end())
    const server = await startServer((_, response) =>
      multi(
        response,
        row('/', `<C:addressbook-home-set><D:href>${other.origin}/</D:href></C:addressbook-home-set>`),
      ),
    )
    const login = { user: USER, password: PASSWORD, transport: createPinnedTransport() }
    expect(await findBooks(new URL(server.origin), login)).toEqual(
      refusal('redirect_refused', { rule: 'origin' }),
    )
    expect(other.seen).toEqual([])
  })
})

describe('at Google', () => {
  const person = (name: string, ...emails: readonly string[]) => ({
    resourceName: 'people/c1',
    names: [{ displayName: name, metadata: { primary: true } }],
    emailAddresses: emails.map((value, at) => ({ value, metadata: { primary: at === emails.length - 1 } })),
  })

  it('reads all pages, the primary address of each, and nothing but names and addresses', async () => {
    const server = await startServer(({ path }, response) =>
      sendJson(
        response,
        path.includes('pageToken=second')
          ? { connections: [person('Zoe', 'zoe@b.example')] }
          : {
              connections: [
                person('Tom Baker', 'old@b.example', 'tom@b.example'),
                { names: [{ displayName: 'Nobody' }] },
              ],
              nextPageToken: 'second',
            },
      ),
    )
    const read = await list({ google: server.origin, secrets: { google: 'ya29.x' } })
    expect(namesIn(read)).toEqual(['Tom Baker tom@b.example', 'Zoe zoe@b.example'])
    expect(
      server.seen.map(({ path }) => new URL(path, server.origin).searchParams.get('personFields')),
    ).toEqual(['names,emailAddresses', 'names,emailAddresses'])
    expect(server.seen[0]?.headers.authorization).toBe('Bearer ya29.x')
  })

  it('ends with a service that never stops giving pages', async () => {
    const server = await startServer((_, response) =>
      sendJson(response, { connections: [person('Tom', 'tom@b.example')], nextPageToken: 'again' }),
    )
    expect(outputOf(await list({ google: server.origin, secrets: { google: 'x' } }))).toMatchObject({
      count: 1,
      more: true,
    })
    expect(server.seen).toHaveLength(5)
  })

  it('says that contacts were not allowed', async () => {
    const server = await startServer((_, response) =>
      sendJson(response, { error: { code: 403, status: 'PERMISSION_DENIED' } }, 403),
    )
    expect(await list({ google: server.origin, secrets: { google: 'x' } })).toEqual(
      refusal('remote_rejected', { status: 403 }),
    )
  })
})
