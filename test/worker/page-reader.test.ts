/** The edge's page reader and transport in workerd, over a real loopback server where there is one (J-05, I-05). */
import { describe, expect, it, vi } from 'vitest'
import { createFetchTransport, type Fetch } from '../../durable-objects/platform/fetch-transport.ts'
import { createPageReader } from '../../durable-objects/platform/page-reader.ts'
import { PAGE_LIMITS } from '../../integrations/extractors/page.ts'
import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import { createWebTool } from '../../integrations/tools/web/run.ts'

const URL_OF_PAGE = 'https://news.example.com/a/b'
const read = (html: string) => createPageReader().read(html, URL_OF_PAGE)

describe('the page reader', () => {
  it('the reader extracts title, author, date, language, text and links', async () => {
    const page = await read(`<!doctype html><html lang="de-AT"><head><title>Flut &amp; danach</title>
      <meta property="article:published_time" content="2026-03-04T05:06:07+02:00"><meta name=author content="Eva &#214;">
      <style>p{}</style></head><body><nav>Menu <a href="/menu">m</a></nav><h1>Flut</h1>
      <p>Der Fluss stieg<br>in der Nacht&nbsp;&hellip;</p><script>stolen()</script><img hidden src=x>
      <p style="display:none">secret order</p><p aria-hidden="true">machine words</p>
      <a href="../next?a=1&amp;b=2#part">next</a><a href="javascript:alert(1)">js</a><footer>Footer</footer></body></html>`)
    expect(page).toEqual({
      title: 'Flut & danach',
      author: 'Eva Ö',
      date: '2026-03-04T03:06:07Z',
      language: 'de',
      text: 'Flut\n\nDer Fluss stieg\nin der Nacht …\n\nnextjs',
      links: ['https://news.example.com/menu', 'https://news.example.com/next?a=1&b=2'],
    })
  })

  it.each([
    [
      'a head without its end',
      '<html><head><title>T</title><style>p{}</style><p>words of it</p></html>',
      'words of it',
    ],
    ['a page of asides only', '<nav>Only a menu</nav>', 'Only a menu'],
    ['an aside without end', '<nav>Menu<p>Text', 'Menu\nText'],
    ['entities once', '<p>&amp;lt;b&amp;gt; &unknown; &#0; &#x110000;', '&lt;b&gt; &unknown; \ufffd \ufffd'],
    ['a title in the body', '<body><svg><title>icon</title></svg>x', 'x'],
    ['nothing', '', ''],
    ['words', 'just words', 'just words'],
  ])('the reader reads %s', async (_, html, text) => expect((await read(html)).text).toBe(text))

  it('the reader bounds text, title and links', async () => {
    const links = Array.from({ length: 300 }, (_, n) => `<a href="/${n}">x</a>`).join('')
    const page = await read(`<title>${'T'.repeat(9_000)}</title><p>${'word '.repeat(50_000)}</p>${links}`)
    expect(page.title).toHaveLength(PAGE_LIMITS.title)
    expect(page.text.length).toBeLessThanOrEqual(PAGE_LIMITS.text)
    expect(page.text.length).toBeGreaterThan(PAGE_LIMITS.text - 100)
    expect(page.links).toHaveLength(PAGE_LIMITS.links)
  })

  it('the reader reads deeply nested text, and throws on nesting meant to do harm (J-12)', async () => {
    expect((await read(`${'<div>'.repeat(2_000)}deep`)).text).toBe('deep')
    const harm = (async () => {
      await read(`${'<div>'.repeat(20_000)}deep`)
    })()
    await expect(harm).rejects.toThrow('memory limit')
  })
})

describe('the transport', () => {
  function clientOf(answer: Fetch, hosts: readonly string[] = ['*']) {
    const fetchOnce = vi.fn(answer)
    const transport = createFetchTransport(fetchOnce)
    return { http: createScopedHttp({ hosts, exemptOrigins: [], transport }), fetchOnce }
  }

  it('the transport follows no redirect itself, and each hop is checked', async () => {
    const { http, fetchOnce } = clientOf(
      async () => new Response(null, { status: 302, headers: { location: 'https://169.254.169.254/' } }),
    )
    const answer = await http.request({
      method: 'GET',
      url: URL_OF_PAGE,
      headers: { authorization: 'Bearer t' },
    })
    expect(answer).toMatchObject({ ok: false, reason: { code: 'address_private' } })
    expect(fetchOnce.mock.calls.map(([url, init]) => [url, init.redirect])).toEqual([[URL_OF_PAGE, 'manual']])
  })

  it.each([
    ['https://127.0.0.1/', 'address_private'],
    ['https://[::1]/', 'address_private'],
    ['https://0x7f000001/', 'address_private'],
    ['https://93.184.216.34/', 'host_not_allowed'],
    ['https://metadata.google.internal/', 'address_private'],
    ['https://127.0.0.1.nip.io/', 'address_private'],
    ['http://example.com/', 'scheme_not_allowed'],
    ['https://a@example.com/', 'url_malformed'],
  ])('the transport never requests %s', async (url, code) => {
    const { http, fetchOnce } = clientOf(async () => new Response('reached'))
    expect(await http.request({ method: 'GET', url })).toMatchObject({ ok: false, reason: { code } })
    expect(fetchOnce).not.toHaveBeenCalled()
  })

  it('the transport cuts an endless body and cancels it', async () => {
    let cancelled = false
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
        cancel: () => {
          cancelled = true
        },
      })
    const { http } = clientOf(async () => new Response(endless()))
    expect(await http.request({ method: 'GET', url: URL_OF_PAGE })).toMatchObject({
      ok: false,
      reason: { code: 'response_too_large' },
    })
    expect(cancelled).toBe(true)
  })

  it('the transport keeps no text of fetch’s errors', async () => {
    const { http } = clientOf(async (url) => {
      throw new Error(`could not reach ${url}`)
    })
    expect(await http.request({ method: 'GET', url: URL_OF_PAGE })).toEqual({
      ok: false,
      reason: { code: 'network_failed', facts: {} },
    })
  })

  it('the transport brings a page to the web tool', async () => {
    const html = '<title>T</title><p>Gr\u00fc\u00dfe'
    const headers = { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'id=1' }
    const { http, fetchOnce } = clientOf(async () => new Response(html, { headers }))
    const outcome = await createWebTool({ reader: createPageReader() }).execute({
      action: 'web.read',
      args: { url: URL_OF_PAGE },
      credential: null,
      http,
      capability: {} as never,
    })
    expect(outcome).toMatchObject({ ok: true, output: { title: 'T', text: 'Gr\u00fc\u00dfe' } })
    expect(fetchOnce.mock.calls[0]?.[1].headers).not.toHaveProperty('authorization')
  })
})
