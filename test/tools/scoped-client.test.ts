/** The scoped client over real sockets: hops, limits, encodings, rebinding (I-04 – I-06, regression 16). */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createScopedHttp, requestBytes, USER_AGENT } from '../../integrations/http/scoped-client.ts'
import type { Transport, TransportResponse } from '../../integrations/http/transport.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { pinnedLookup, type ResolvedAddress } from '../../sidecar/pages/pinned-transport.ts'
import { sendText, startClient, startServer, startTransport } from './servers.ts'
import { HOSTILE_URLS, NOT_PUBLIC } from './vectors.ts'

const refusal = (code: string, facts: object = {}) => ({ ok: false, reason: { code, facts } })

function answerOf(
  headers: Readonly<Record<string, string>>,
  chunks: readonly string[],
  status = 200,
): TransportResponse {
  const body = (async function* () {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk)
  })()
  return { status, headers, body }
}

describe('what never leaves', () => {
  it.each(HOSTILE_URLS)('sends nothing for %s', async (url, code, rule) => {
    const sent: string[] = []
    const transport = {
      send: async ({ url: to }: { url: URL }) => {
        sent.push(to.href)
        throw new Error('must not be reached')
      },
    }
    const http = createScopedHttp({ hosts: ['*'], exemptOrigins: [], transport })
    expect(await http.request({ method: 'GET', url })).toMatchObject(refusal(code, { rule }))
    expect(sent).toEqual([])
  })

  it('refuses a loopback server that is not exempt', async () => {
    const server = await startServer((_, response) => sendText(response, 'secret', 'text/plain'))
    const answer = await startClient().request({ method: 'GET', url: server.origin })
    expect(answer).toMatchObject(refusal('scheme_not_allowed'))
    expect(server.seen).toEqual([])
  })

  it.each([
    ['host', 'evil.example'],
    ['Cookie', 'a=b'],
    ['transfer-encoding', 'chunked'],
    ['user-agent', 'Mozilla/5.0'],
    ['x-a', 'b\r\nhost: evil'],
    ['x a', 'b'],
  ])('refuses the request header %s', async (name, value) => {
    const server = await startServer((_, response) => sendText(response, '', 'text/plain'))
    const http = startClient({ exemptOrigins: [server.origin] })
    const answer = await http.request({ method: 'GET', url: server.origin, headers: { [name]: value } })
    expect(answer).toMatchObject(refusal('network_failed', { rule: 'request_header' }))
    expect(server.seen).toEqual([])
  })
})

describe('an allowed host', () => {
  it.each<readonly [what: string, answers: readonly TransportResponse[], isClosed: boolean]>([
    ['a body read to its end', [answerOf({}, ['a', 'b'])], false],
    ['no body', [answerOf({}, [])], false],
    ['a body that is too large', [answerOf({}, ['a', 'b'.repeat(100), 'c'])], true],
    ['a declared length that is too large', [answerOf({ 'content-length': '1000' }, ['a'])], true],
    ['a redirect', [answerOf({ location: '/b' }, ['moved'], 302), answerOf({}, ['a'])], true],
  ])('closes a connection that may still give something: %s', async (_, answers, isClosed) => {
    const signals: AbortSignal[] = []
    const transport: Transport = {
      send: async ({ signal }) => {
        const answer = answers[signals.length]
        signals.push(signal)
        return answer === undefined ? err('network_failed') : ok(answer)
      },
    }
    const limits = { maxBytes: 50 }
    const options = { hosts: ['api.example.com'], exemptOrigins: [], transport, limits }
    await requestBytes(options, { method: 'GET', url: 'https://api.example.com/a' })
    expect(signals.map(({ aborted }) => aborted)).toEqual(answers.map(() => isClosed))
  })

  it('answers, with our name and without cookies', async () => {
    const server = await startServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'id=1', 'x-one': 'two' })
        .end('hello'),
    )
    const http = startClient({ exemptOrigins: [server.origin], hosts: [server.host] })
    const answer = await http.request({ method: 'GET', url: `${server.origin}/a?b=c` })
    expect(answer).toMatchObject({
      ok: true,
      value: { status: 200, body: 'hello', url: `${server.origin}/a?b=c` },
    })
    expect(answer.ok && answer.value.headers).toMatchObject({ 'x-one': 'two' })
    expect(answer.ok && answer.value.headers).not.toHaveProperty('set-cookie')
    expect(server.seen[0]).toMatchObject({ path: '/a?b=c', headers: { 'user-agent': USER_AGENT } })
  })

  it.each([
    ['utf-8', Buffer.from('Grüße'), 'text/plain; charset=utf-8', 'Grüße'],
    ['latin-1', Buffer.from('Grüße', 'latin1'), 'text/plain; charset="ISO-8859-1"', 'Grüße'],
    ['a declaration in HTML', Buffer.from('<meta charset=windows-1252>é', 'latin1'), 'text/html', 'é'],
    ['an unknown charset', Buffer.from('Grüße'), 'text/plain; charset=klingon', 'Grüße'],
    ['utf-16', Buffer.from('\ufeffhi', 'utf16le'), 'text/plain; charset=utf-16le', 'hi'],
    ['bytes that do not decode', Buffer.from([0x61, 0xff]), 'text/plain', 'a\ufffd'],
  ])('decodes %s', async (_, bytes, type, text) => {
    const server = await startServer((__, response) => sendText(response, bytes, type))
    const answer = await startClient({ exemptOrigins: [server.origin] }).request({
      method: 'GET',
      url: server.origin,
    })
    expect(answer.ok && answer.value.body).toContain(text)
  })

  it('unpacks gzip', async () => {
    const server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
    )
    const answer = await startClient({ exemptOrigins: [server.origin] }).request({
      method: 'GET',
      url: server.origin,
    })
    expect(answer).toMatchObject({ ok: true, value: { body: 'packed' } })
  })
})

describe('redirects', () => {
  it('follows a chain of five and not of six', async () => {
    const server = await startServer(({ path }, response) => {
      const left = Number(path.slice(1))
      if (left === 0) sendText(response, 'end', 'text/plain')
      else response.writeHead(302, { location: `/${left - 1}` }).end('unread')
    })
    const http = startClient({ exemptOrigins: [server.origin] })
    expect(await http.request({ method: 'GET', url: `${server.origin}/5` })).toMatchObject({
      ok: true,
      value: { body: 'end', url: `${server.origin}/0` },
    })
    expect(await http.request({ method: 'GET', url: `${server.origin}/6` })).toMatchObject(
      refusal('redirect_refused', { rule: 'too_many' }),
    )
  })

  it.each([
    ['https://evil.example.com/', 'host_not_allowed'],
    ['http://169.254.169.254/latest/', 'scheme_not_allowed'],
    ['https://[::ffff:10.0.0.1]/', 'address_private'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
  ])('refuses one to %s', async (location, code) => {
    const server = await startServer((_, response) => response.writeHead(302, { location }).end())
    const http = startClient({ exemptOrigins: [server.origin], hosts: [server.host] })
    expect(await http.request({ method: 'GET', url: server.origin })).toMatchObject(refusal(code))
    expect(server.seen).toHaveLength(1)
  })

  it('refuses to hop from one exempt origin into another', async () => {
    const inner = await startServer((_, response) => sendText(response, 'secret', 'text/plain'))
    const outer = await startServer((_, response) =>
      response.writeHead(302, { location: inner.origin }).end(),
    )
    const http = startClient({ exemptOrigins: [inner.origin, outer.origin] })
    const answer = await http.request({
      method: 'GET',
      url: outer.origin,
      headers: { authorization: 'Bearer t' },
    })
    expect(answer).toMatchObject(refusal('redirect_refused', { rule: 'exempt_origin' }))
    expect(inner.seen).toEqual([])
  })

  it('does not send a write twice', async () => {
    const server = await startServer((_, response) => response.writeHead(307, { location: '/again' }).end())
    const http = startClient({ exemptOrigins: [server.origin] })
    const answer = await http.request({ method: 'POST', url: server.origin, body: 'once' })
    expect(answer).toMatchObject(refusal('redirect_refused', { rule: 'write' }))
    expect(server.seen).toHaveLength(1)
  })
})

describe('limits', () => {
  const chunk = Buffer.alloc(64_000, 'a')

  it('cuts an endless body and closes the connection', async () => {
    let closed = false
    let sent = 0
    const server = await startServer((_, response) => {
      const push = (): void => {
        while (!closed && response.write(chunk)) sent += chunk.length
      }
      response.on('close', () => {
        closed = true
      })
      response.on('drain', push)
      push()
    })
    const http = startClient({ exemptOrigins: [server.origin], limits: { maxBytes: 1_000_000 } })
    const answer = await http.request({ method: 'GET', url: server.origin })
    expect(answer).toMatchObject(refusal('response_too_large', { max: 1_000_000 }))
    await expect.poll(() => closed).toBe(true)
    expect(sent).toBeLessThan(50_000_000)
  })

  it('cuts a gzip bomb by what it unfolds to', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(bomb.length).toBeLessThan(100_000)
    const server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const http = startClient({ exemptOrigins: [server.origin], limits: { maxBytes: 1_000_000 } })
    expect(await http.request({ method: 'GET', url: server.origin })).toMatchObject(
      refusal('response_too_large'),
    )
  })

  it.each([
    ['no answer', 0],
    ['a body that drips', 20],
    ['a redirect that drips', 30],
  ])('ends %s', async (_, drip) => {
    const server = await startServer((__, response) => {
      if (drip === 0) return
      response.writeHead(drip === 30 ? 302 : 200, { location: '/again' })
      const timer = setInterval(() => response.write('x'), drip)
      response.on('close', () => clearInterval(timer))
    })
    const limits = { timeoutMs: 300, maxRedirects: 100_000 }
    const started = performance.now()
    const answer = await startClient({ exemptOrigins: [server.origin], limits }).request({
      method: 'GET',
      url: server.origin,
    })
    expect(answer).toMatchObject(refusal('response_timeout', { max: 300 }))
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  it('refuses a flood of headers', async () => {
    const flood = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`x-${n}`, 'y']))
    const server = await startServer((_, response) => response.writeHead(200, flood).end())
    const http = startClient({ exemptOrigins: [server.origin] })
    expect(await http.request({ method: 'GET', url: server.origin })).toMatchObject(
      refusal('response_too_large', { rule: 'headers' }),
    )
  })

  it.each([
    ['gzip that is none', 'gzip', 'not gzip'],
    ['a cut body', undefined, null],
  ])('answers network_failed to %s', async (_, encoding, body) => {
    const server = await startServer((__, response) => {
      if (encoding !== undefined) response.writeHead(200, { 'content-encoding': encoding }).end(body)
      else {
        response.writeHead(200, { 'content-length': '1000' }).write('abc')
        setTimeout(() => response.destroy(), 20)
      }
    })
    const http = startClient({ exemptOrigins: [server.origin] })
    expect(await http.request({ method: 'GET', url: server.origin })).toMatchObject(refusal('network_failed'))
  })

  it('stops with the caller and stays stopped', async () => {
    const server = await startServer(() => undefined)
    const abort = new AbortController()
    const http = startClient({ exemptOrigins: [server.origin], signal: abort.signal })
    const pending = http.request({ method: 'GET', url: server.origin })
    setTimeout(() => abort.abort(), 50)
    expect(await pending).toMatchObject(refusal('response_timeout'))
    expect(await http.request({ method: 'GET', url: server.origin })).toMatchObject(
      refusal('response_timeout'),
    )
    expect(server.seen).toHaveLength(1)
  })
})

describe('names that resolve', () => {
  const PUBLIC_ADDRESS = { address: '93.184.216.34', family: 4 }
  const found = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 })

  function lookUp(answers: readonly ResolvedAddress[], all: boolean): Promise<unknown> {
    return new Promise((resolve) => {
      pinnedLookup(async () => answers)('any.example.com', { all }, (error, address) =>
        resolve(error === null ? address : error.name),
      )
    })
  }

  it.each(NOT_PUBLIC.filter((address) => !address.includes(' ')))(
    'refuses one that leads to %s',
    async (address) => {
      const http = startClient({ resolve: async () => [found(address)] })
      expect(await http.request({ method: 'GET', url: 'https://rebind.example.com/' })).toMatchObject(
        refusal('address_private', { rule: 'resolved' }),
      )
    },
  )

  it('refuses one of whose addresses a single one is private', async () => {
    const http = startClient({ resolve: async () => [PUBLIC_ADDRESS, found('10.0.0.1')] })
    expect(await http.request({ method: 'GET', url: 'https://rebind.example.com/' })).toMatchObject(
      refusal('address_private', { rule: 'resolved' }),
    )
  })

  it('refuses one without addresses, and says network_failed for one that does not resolve', async () => {
    const none = startClient({ resolve: async () => [] })
    const unknown = startClient({
      resolve: async () => {
        throw new Error('ENOTFOUND')
      },
    })
    const request = { method: 'GET', url: 'https://nowhere.example.com/' } as const
    expect(await none.request(request)).toMatchObject(refusal('address_private'))
    expect(await unknown.request(request)).toMatchObject(refusal('network_failed'))
  })

  it('pins: the socket gets the checked addresses, and the resolver is not asked again', async () => {
    expect(await lookUp([PUBLIC_ADDRESS], false)).toBe('93.184.216.34')
    expect(await lookUp([PUBLIC_ADDRESS], true)).toEqual([PUBLIC_ADDRESS])
    let asked = 0
    const rebinding = async (): Promise<readonly ResolvedAddress[]> => {
      asked += 1
      return asked === 1 ? [PUBLIC_ADDRESS] : [found('127.0.0.1')]
    }
    const http = startClient({ resolve: rebinding, limits: { timeoutMs: 400 } })
    const answer = await http.request({ method: 'GET', url: 'https://rebind.example.com/' })
    expect(answer.ok).toBe(false)
    expect(asked).toBe(1)
    // The next connection asks again, and the second answer is judged like the first.
    expect(await http.request({ method: 'GET', url: 'https://rebind.example.com/' })).toMatchObject(
      refusal('address_private', { rule: 'resolved' }),
    )
  })

  it('refuses a literal although no lookup sees it', async () => {
    const transport = startTransport(async () => [PUBLIC_ADDRESS])
    const sent = await transport.send({
      method: 'GET',
      url: new URL('https://127.0.0.1/'),
      headers: {},
      body: null,
      exempt: false,
      signal: AbortSignal.timeout(1_000),
    })
    expect(sent).toMatchObject(refusal('address_private'))
  })
})
