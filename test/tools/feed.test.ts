/** Feeds over real sockets: RSS 2.0, RSS 1.0, Atom and JSON Feed as people publish them, and what is hostile in them. */
import { afterAll, describe, expect, it } from 'vitest'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createFeedTool } from '../../integrations/tools/feed/run.ts'
import { addressOf } from '../../integrations/tools/feed/shape.ts'
import { digestOf } from '../../kernel/flow/digest.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { createPageReader } from '../../sidecar/pages/page-reader.ts'
import { createFeedItems } from '../../sidecar/store/feed-items.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { callTool, outputOf, refusal, tokenFor } from './calls.ts'
import { sendText, startClient, startServer } from './servers.ts'

const { feed, close } = createPageReader()
afterAll(close)

async function read(body: string, type = 'application/xml', status = 200) {
  const server = await startServer((_, response) => sendText(response, body, type, status))
  const address = `${server.origin}/feed.xml`
  return callTool(
    createFeedTool({ feed }),
    'web.feed',
    { address },
    { exemptOrigins: [server.origin], credential: null },
  )
}

const RSS = (items: string) => `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>News &amp; more</title><link>https://news.example/</link><atom:link href="https://news.example/feed" rel="self"/>
${items}</channel></rss>`

describe('a feed', () => {
  it('in RSS 2.0 gives its newest items first, whatever they are escaped with', async () => {
    const items = `
      <item><title>Old</title><link>https://news.example/1</link><pubDate>Mon, 06 Sep 2021 00:01:00 +0000</pubDate></item>
      <item><title><![CDATA[New <b>and</b> bold]]></title><guid>https://news.example/2</guid><pubDate>Fri, 27 Nov 26 08:00:00 EST</pubDate></item>
      <item><title>&lt;i&gt;Middle&lt;/i&gt; &amp;amp; more</title><link>/3?a=1&amp;b=2</link><guid isPermaLink="false">3</guid><dc:date>2025-01-02T03:04:05Z</dc:date></item>`
    const found = outputOf(await read(RSS(items)))
    expect(found).toMatchObject({ title: 'News & more', more: 0 })
    expect(found['items']).toMatchObject([
      { title: 'New and bold', link: 'https://news.example/2', date: '2026-11-27T13:00:00Z' },
      { title: 'Middle & more', date: '2025-01-02T03:04:05Z' },
      { title: 'Old', link: 'https://news.example/1', date: '2021-09-06T00:01:00Z' },
    ])
    expect((found['items'] as { link: string }[])[1]?.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/3\?a=1&b=2$/)
  })

  it('in Atom takes the link to the page, not to its edits', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;em>Notes&lt;/em></title>
      <entry><title>One</title><link rel="edit" href="/edit"/><link rel="alternate" href="https://n.example/1"/><id>urn:1</id>
      <published>2025-07-31T12:29:29+02:00</published><updated>2026-01-01T00:00:00Z</updated><content type="xhtml"><div><title>No</title></div></content></entry></feed>`
    expect(outputOf(await read(atom))).toEqual({
      title: 'Notes',
      items: [{ title: 'One', link: 'https://n.example/1', date: '2025-07-31T10:29:29Z' }],
      more: 0,
    })
  })

  it.each([
    [
      'a text, whose angle brackets are its own',
      '<title>Generics: Map&lt;K, V&gt;</title>',
      'Generics: Map<K, V>',
    ],
    ['the same by its type', '<title type="text">a &lt;b&gt; c</title>', 'a <b> c'],
    ['HTML', '<title type="html">a &lt;b&gt;c&lt;/b&gt;</title>', 'a c'],
    ['XHTML', '<title type="xhtml"><div>a <b>c</b></div></title>', 'a c'],
  ])('in Atom has titles that are %s', async (_, title, shown) => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>1</id>${title}</entry></feed>`
    expect(outputOf(await read(atom))).toMatchObject({ items: [{ title: shown }] })
  })

  it('in RSS 1.0 has its items beside the channel', async () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
      <channel><title>R</title></channel><item rdf:about="x"><title>One</title><link>https://r.example/1</link></item></rdf:RDF>`
    expect(outputOf(await read(rdf))).toMatchObject({
      title: 'R',
      items: [{ title: 'One', link: 'https://r.example/1' }],
    })
  })

  it('in JSON needs no reader', async () => {
    const json = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      items: [
        { id: '1', url: 'https://j.example/1', title: 'One', date_published: '2026-11-01T00:00:00Z' },
        { id: 2, content_text: 'No title', external_url: 'https://j.example/2', date_published: null },
        null,
      ],
    })
    expect(outputOf(await read(json, 'application/feed+json'))['items']).toEqual([
      { title: 'One', link: 'https://j.example/1', date: '2026-11-01T00:00:00Z' },
      { title: 'No title', link: 'https://j.example/2' },
    ])
  })

  it('is bounded, says how much is left, and lists nothing twice', async () => {
    const item = (at: number) => `<item><title>${'T'.repeat(900)}${at}</title><guid>g${at}</guid></item>`
    const items = [...Array.from({ length: 500 }, (_, at) => item(at)), item(0), item(1)].join('')
    const found = outputOf(await read(RSS(items)))
    const listed = found['items'] as { title: string }[]
    expect([listed.length, found['more']]).toEqual([200, 200])
    expect(listed[0]?.title).toHaveLength(300)
    const twice = outputOf(await read(RSS(item(1) + item(1))))['items'] as unknown[]
    expect(twice).toHaveLength(1)
  })

  it('cannot be a bomb, or bring what a client would act on', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
      <rss><channel><title>&b;&x;</title><item><title>T\u202e\u0007</title><link>javascript:alert(1)</link></item></channel></rss>`
    const found = outputOf(await read(bomb))
    expect(JSON.stringify(found)).not.toMatch(/aaaaaaaaaaaa|root:|javascript|\u202e/)
    const deep = `<rss><channel>${'<a>'.repeat(50_000)}</channel></rss>`
    expect((await read(deep)).ok === false || outputOf(await read(deep))['items']).toBeTruthy()
  })

  it.each([
    ['a web page', '<!doctype html><html><body>x</body></html>', 'text/html'],
    ['an atom of another kind', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['other JSON', '{"items":[]}', 'application/json'],
    ['words', 'hello', 'text/plain'],
    ['nothing', '', 'application/xml'],
  ])('is not %s', async (_, body, type) => {
    expect(await read(body, type)).toEqual(refusal('tool_result_invalid', { rule: 'feed' }))
  })

  it.each([
    [401, 'remote_rejected'],
    [404, 'remote_not_found'],
    [429, 'remote_rate_limited'],
    [503, 'remote_unavailable'],
  ])('with status %s is %s', async (status, code) => {
    expect(await read('', 'text/plain', status)).toMatchObject({ ok: false, reason: { code } })
  })
})

it.each([
  ['example.org/feed.xml', 'https://example.org/feed.xml'],
  ['https://example.org/feed.xml', 'https://example.org/feed.xml'],
  ['feed://example.org/a', 'https://example.org/a'],
  ['feed:https://example.org/a', 'https://example.org/a'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
])('the address %s is %s', (typed, address) => expect(addressOf(typed)).toBe(address))

it.each([
  '127.0.0.1/feed',
  '192.168.1.1/feed',
  'router.local/feed',
  'http://example.org/feed',
  'file:///etc/passwd',
])('reaches nothing at %s', async (address) => {
  const result = await callTool(createFeedTool({ feed }), 'web.feed', { address }, { credential: null })
  expect(result.ok ? 'read' : result.reason.code).toMatch(/^(?:address_private|scheme_not_allowed)$/)
})

describe('what a conversation was shown', () => {
  const items = (...numbers: readonly number[]) =>
    RSS(
      numbers.map((at) => `<item><title>T${at}</title><link>https://n.example/${at}</link></item>`).join(''),
    )

  /** A feed that can change, and the calls of one principal's tasks on it. */
  async function shown(lost: readonly string[] = []) {
    const { db, close: closeDb } = openSqlite(':memory:')
    afterAll(closeDb)
    migrate(db, DIRECTIVES_MIGRATIONS)
    const clock = { now: Date.parse('2026-11-27T10:00:00Z') }
    const rows = createFeedItems(db, { now: () => clock.now, isLost: (task) => lost.includes(task) })
    let body = items(1, 2, 3)
    const server = await startServer((_, response) => sendText(response, body, 'application/xml', 200))
    const tool = createFeedTool({ feed, feedItems: rows })
    const ask = async (task: string, args: object, principal = 'principal:owner') => {
      const { claims, mac } = tokenFor('web.feed')
      const outcome = await tool.execute({
        ...{ action: 'web.feed', args: { address: `${server.origin}/feed.xml`, ...args }, credential: null },
        capability: { claims: { ...claims, task, principal }, mac },
        http: startClient({ hosts: ['*'], exemptOrigins: [server.origin] }),
      })
      if (!outcome.ok) throw new Error(outcome.reason.code)
      const { items: listed, ...rest } = outcome.output as { items: readonly { title: string }[] }
      return { titles: listed.map(({ title }) => title).join(' '), ...rest, level: outcome.level }
    }
    const of = digestOf(['feed', 'principal:owner', `${server.origin}/feed.xml`])
    return {
      ask,
      clock,
      rows,
      feed: of,
      publish(...numbers: readonly number[]): void {
        body = items(...numbers)
      },
    }
  }
  const NEW = { only: 'new' }

  it('is not listed again, until there is something new', async () => {
    const { ask, clock, publish } = await shown()
    expect(await ask('t1', NEW)).toMatchObject({ titles: 'T1 T2 T3', level: 'internal' })
    clock.now += 3_600_000
    expect(await ask('t2', NEW)).toMatchObject({
      titles: '',
      title: 'News & more',
      since: '2026-11-27T10:00:00.000Z',
    })
    publish(4, 1, 2, 3)
    expect(await ask('t3', NEW)).toMatchObject({ titles: 'T4', since: '2026-11-27T11:00:00.000Z' })
  })

  it('is all there where all is asked for, and that counts as shown, too', async () => {
    const { ask } = await shown()
    expect(await ask('t1', {})).toMatchObject({ titles: 'T1 T2 T3', level: undefined })
    expect(await ask('t2', NEW)).toMatchObject({ titles: '' })
    expect(await ask('t3', { count: 2 })).toMatchObject({ titles: 'T1 T2', more: 1, next: 2 })
  })

  it('is of one principal, and of one feed', async () => {
    const { ask } = await shown()
    await ask('t1', NEW)
    expect(await ask('t2', NEW, 'principal:other')).toMatchObject({ titles: 'T1 T2 T3' })
    expect((await (await shown()).ask('t3', NEW)).titles).toBe('T1 T2 T3')
  })

  it('is gone on with from the list that was shown, although it counts as shown by then', async () => {
    const { ask, clock, publish } = await shown()
    await ask('t1', NEW)
    clock.now += 1
    publish(9, 8, 7, 1, 2, 3)
    expect(await ask('t2', { ...NEW, count: 2 })).toMatchObject({ titles: 'T9 T8', more: 1, next: 2 })
    clock.now += 1
    expect(await ask('t3', { ...NEW, count: 2, from: 2 })).toMatchObject({ titles: 'T7', more: 0 })
    expect(await ask('t4', NEW)).toMatchObject({ titles: '' })
  })

  it('is the same for a call that is repeated, and new again where its answer came to nothing', async () => {
    const { ask } = await shown(['t1'])
    expect((await ask('t1', NEW)).titles).toBe('T1 T2 T3')
    expect((await ask('t2', NEW)).titles).toBe('T1 T2 T3')
    expect((await ask('t2', NEW)).titles).toBe('T1 T2 T3')
    expect((await ask('t3', NEW)).titles).toBe('')
  })

  it('is kept as digests alone, bounded, and forgotten with its principal', async () => {
    const { ask, rows, publish, clock, feed } = await shown()
    for (let batch = 0; batch < 4; batch += 1) {
      clock.now += 1
      publish(...Array.from({ length: 300 }, (_, at) => batch * 300 + at))
      await ask(`t${batch}`, NEW)
    }
    const kept = rows.of('principal:owner', feed)
    expect(kept).toHaveLength(800)
    expect(kept.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest))).toBe(true)
    clock.now += 200 * 86_400_000
    await ask('late', NEW)
    expect(rows.of('principal:owner', feed)).toHaveLength(300)
    rows.forget('principal:owner')
    expect(rows.of('principal:owner', feed)).toEqual([])
  })

  it('is not in the way of a feed that publishes nothing', async () => {
    const { ask, publish } = await shown()
    publish()
    expect(await ask('t1', NEW)).toMatchObject({ titles: '', more: 0 })
  })
})
