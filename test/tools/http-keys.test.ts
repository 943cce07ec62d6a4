/** Keys of web services that the owner named: where one is sent, in which form, and that nothing else gets it (I-21, E-06, E-07). */
import { describe, expect, it } from 'vitest'
import { httpManifest } from '../../integrations/tools/http/manifest.ts'
import { createHttpTool } from '../../integrations/tools/http/run.ts'
import { type HttpSetting, keyFormIn, keyName, originOfKey } from '../../integrations/tools/http/setting.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { alongDigest } from '../../kernel/call/along.ts'
import { isSwitchedOff } from '../../kernel/features/tools/switched.ts'
import { permit } from '../../kernel/flow/verdict.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { createLiveRegistry } from '../../kernel/tool/registry.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { httpSchema, ownHosts } from '../../sidecar/config/http-settings.ts'
import { exceptSwitchedOff } from '../../sidecar/secrets/bound-credentials.ts'
import { sendJson } from '../kit/server.ts'
import { NO_BREAKER, sourceOf, tokenFor } from './calls.ts'
import { startServer, startTransport } from './servers.ts'

const VALUE = 'user:kestrel-4711'

/** `hosts`: those of the stored key's scope. `bound`: the form that the token is for, if it is another; null for none. */
async function ask(
  answer: Parameters<typeof startServer>[0],
  {
    key,
    stored = VALUE,
    hosts,
    sends,
    bound = key,
  }: {
    key: string
    stored?: string | null
    hosts?: readonly string[]
    sends?: true
    bound?: string | null
  },
) {
  const server = await startServer(answer)
  const { origin } = server
  const http: HttpSetting = { hosts: [{ origin, label: 'internal', key }], saved: [] }
  const port = createToolPort({
    ...{ place: 'home', tools: [createHttpTool({ http })], transport: startTransport() },
    ...{ exemptOrigins: [], ownOrigins: { http: ownHosts(http) }, checkToken: () => permit('test') },
    credentials: sourceOf(
      stored === null ? null : { scheme: 'bearer', value: stored },
      hosts ?? [new URL(origin).host],
    ),
    ...{ redact: (value) => value, breaker: NO_BREAKER },
  })
  const args = { url: `${origin}/x` }
  const action = sends === undefined ? 'http.request' : 'http.send'
  const more = sends === undefined ? {} : { method: 'POST', host: 'internal' }
  const capability = tokenFor(action, 'cap1', 'principal:owner', formOf(origin, bound))
  const done = await port.run({ action, args: { ...args, ...more }, capability })
  return { server, origin, done, lacks: port.lacks?.('http.request', args) ?? null }
}

/** As the kernel binds a token to it. */
function formOf(origin: string, key: string | null): string | undefined {
  const hosts = [{ origin, label: 'internal', ...(key !== null && { key }) }] as const
  return alongDigest(httpManifest({ hosts, saved: [] }).accounts?.[0]).along
}

describe('a key', () => {
  it.each([
    ['bearer', 'authorization', `Bearer ${VALUE}`],
    ['basic', 'authorization', `Basic ${Buffer.from(VALUE).toString('base64')}`],
    ['X-Api-Key', 'x-api-key', VALUE],
  ])('that is sent as %s is in the header %s and in no other', async (key, header, written) => {
    const seen: Record<string, unknown>[] = []
    const { done } = await ask(
      ({ headers }, response) => {
        seen.push({ ...headers })
        sendJson(response, {})
      },
      { key },
    )
    expect(done).toMatchObject({ ok: true })
    expect(seen[0]?.[header]).toBe(written)
    const others = Object.entries(seen[0] ?? {}).filter(([name]) => name !== header)
    expect(JSON.stringify(others)).not.toMatch(/kestrel|a2VzdHJlbA/)
  })

  it.each([
    ['http.request', 'basic', 'bearer'],
    ['http.send', 'basic', 'bearer'],
    ['http.request', 'bearer', null],
    ['http.send', 'bearer', null],
  ])('goes with no %s in another form than its token is for: %s, %s', async (action, key, bound) => {
    let count = 0
    const answer: Parameters<typeof startServer>[0] = (_, response) => {
      count += 1
      sendJson(response, {})
    }
    const { done } = await ask(answer, { key, bound, ...(action === 'http.send' && { sends: true }) })
    expect(done).toMatchObject({ ok: false, reason: { code: 'token_wrong_key' } })
    expect(count).toBe(0)
  })

  it('is not replaced by none, and none by a key that the package does not speak of', async () => {
    const origin = 'https://api.example.com'
    const hosts = [{ origin, label: 'internal', key: 'bearer' }] as const
    const keyed = createHttpTool({ http: { hosts, saved: [] } })
    const run = (tool: Tool, along: string | undefined) =>
      createToolPort({
        ...{ place: 'home', tools: [tool], transport: startTransport(), exemptOrigins: [] },
        ...{ checkToken: () => permit('test'), credentials: sourceOf({ scheme: 'bearer', value: VALUE }) },
        ...{ redact: (value) => value, breaker: NO_BREAKER },
      }).run({
        ...{ action: 'http.request', args: { url: `${origin}/x` } },
        capability: tokenFor('http.request', 'cap1', 'principal:owner', along),
      })
    const refused = { ok: false, reason: { code: 'token_wrong_key' } }
    const open = createHttpTool({ http: { hosts: [{ origin, label: 'internal' }], saved: [] } })
    expect(await run(open, formOf(origin, 'bearer'))).toMatchObject(refused)
    expect(await run({ ...keyed, opens: () => null }, undefined)).toMatchObject(refused)
  })

  it('that is not stored is named as missing, and nothing is asked without it', async () => {
    let count = 0
    const { done, lacks, origin } = await ask(
      (_, response) => {
        count += 1
        sendJson(response, {})
      },
      { key: 'bearer', stored: null },
    )
    expect(done).toMatchObject({ ok: false, reason: { code: 'credential_missing' } })
    expect([lacks, count]).toEqual([keyName(origin), 0])
  })

  it('whose scope names another host goes nowhere', async () => {
    let count = 0
    const { done } = await ask(
      (_, response) => {
        count += 1
        sendJson(response, {})
      },
      { key: 'bearer', hosts: ['api.example.com'] },
    )
    expect([done.ok, count]).toEqual([false, 0])
  })

  it.each(['/y', 'https://other.example.com/y'])('follows no redirect to %s', async (location) => {
    const asked: string[] = []
    const { done } = await ask(
      ({ path }, response) => {
        asked.push(path)
        response.writeHead(302, { location }).end()
      },
      { key: 'bearer' },
    )
    expect(done).toMatchObject({ reason: { code: 'redirect_refused', facts: { rule: 'key' } } })
    expect(asked).toEqual(['/x'])
  })

  it.each([301, 302, 303, 307])(
    'was perhaps used where what it sends is answered with %i',
    async (status) => {
      const { done } = await ask((_, response) => response.writeHead(status, { location: '/made/7' }).end(), {
        key: 'bearer',
        sends: true,
      })
      expect(done).toMatchObject({ ok: false, reason: { code: 'write_outcome_unknown' } })
    },
  )

  it('that the service takes no more is refused as that, which no host without one is', async () => {
    const { done } = await ask((_, response) => sendJson(response, {}, 401), { key: 'bearer' })
    expect(done).toMatchObject({ ok: false, reason: { code: 'remote_unauthorized' } })
  })
})

it('of a host that the owner switched off is not sent, and other hosts are asked as before', async () => {
  const keyed: string[] = []
  const open: string[] = []
  const locked = await startServer(({ path }, response) => {
    keyed.push(path)
    sendJson(response, {})
  })
  const free = await startServer(({ path }, response) => {
    open.push(path)
    sendJson(response, {})
  })
  const http: HttpSetting = {
    hosts: [
      { origin: locked.origin, label: 'internal', key: 'bearer' },
      { origin: free.origin, label: 'internal' },
    ],
    saved: [],
  }
  const config = parseConfig('')
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  const off = [keyName(locked.origin) ?? '']
  const source = sourceOf({ scheme: 'bearer', value: VALUE }, [new URL(locked.origin).host])
  const port = createToolPort({
    ...{ place: 'home', tools: [createHttpTool({ http })], transport: startTransport() },
    ...{ exemptOrigins: [], ownOrigins: { http: ownHosts(http) }, checkToken: () => permit('test') },
    credentials: exceptSwitchedOff(source, { config: config.value, off: () => off }),
    isOff: (manifest) => isSwitchedOff(off, manifest),
    ...{ redact: (value) => value, breaker: NO_BREAKER },
  })
  const get = (origin: string) =>
    port.run({
      action: 'http.request',
      args: { url: `${origin}/x` },
      capability: tokenFor(
        ...(['http.request', `cap${origin}`, 'principal:owner'] as const),
        formOf(origin, origin === locked.origin ? 'bearer' : null),
      ),
    })
  expect(await get(locked.origin)).toMatchObject({ ok: false, reason: { code: 'service_off' } })
  expect(await get(free.origin)).toMatchObject({ ok: true })
  expect([keyed, open]).toEqual([[], ['/x']])
})

it.each([
  ['a key', 'bearer'],
  ['an API key', 'bearer'],
  ['einem Schlüssel', 'bearer'],
  ['bearer', 'bearer'],
  ['Authorization', null],
  ['user name and password', 'basic'],
  ['einem Passwort', 'basic'],
  ['a key in the header X-Api-Key', 'X-Api-Key'],
  ['the header Authorization', 'bearer'],
  ['X-Token', 'X-Token'],
  ['the header Host', null],
  ['the header Cookie', null],
  ['Content-Type', null],
  ['X-Forwarded-For', null],
  ['X-Bad:value', null],
  ['kestrel4711', null],
])('%s is sent as %s', (typed, form) => {
  expect(keyFormIn(typed)).toBe(form)
})

it.each([
  ['https://api.example.com', 'http/api.example.com'],
  ['https://api.example.com:8443', 'http/api.example.com/8443'],
  ['http://192.168.1.20:8123', 'http/plain/192.168.1.20/8123'],
  ['http://[fd00::1]:8123', null],
])('the key of %s is kept as %s', (origin, name) => {
  expect(keyName(origin)).toBe(name)
  if (name !== null) expect(originOfKey(name)).toBe(origin)
})

it.each([
  'notion',
  'http/',
  'http/a/b/c',
  'http/api.example.com/443',
  'http/API.example.com',
  'xhttp/a.example',
])('no key of a host is kept as %s', (name) => expect(originOfKey(name)).toBeNull())

it('a configuration names the form of a key and never a key', () => {
  const parse = (key: string) =>
    httpSchema.safeParse({ hosts: [{ origin: 'https://api.example.com', label: 'internal', key }] }).success
  expect([parse('bearer'), parse('X-Api-Key'), parse('a key'), parse('sk0live0kestrel4711')]).toEqual([
    ...[true, true, false, false],
  ])
})

describe('a list of tools that the owner changes while home runs', () => {
  const declared = (setting: HttpSetting) => [createHttpTool({ http: setting })]
  const none: HttpSetting = { hosts: [], saved: [] }
  const named: HttpSetting = {
    hosts: [],
    saved: [{ name: 'office temp', url: 'https://a.example/t', label: 'internal', fields: [] }],
  }

  it('is registered anew, whole, and frozen as the first one was', () => {
    let tools = declared(none)
    let manifests = tools.map(({ manifest }) => manifest)
    const registry = createLiveRegistry(() => manifests)
    const first = registry.actions
    expect(registry.actions).toBe(first)
    expect(first.get('http.saved')?.called?.names).toEqual([])
    tools = declared(named)
    manifests = tools.map(({ manifest }) => manifest)
    expect(registry.actions.get('http.saved')?.called?.names).toEqual(['office temp'])
    expect(Object.isFrozen(registry.actions.get('http.saved')?.tool.network)).toBe(true)
    expect([...registry.actions.keys()]).toEqual([...first.keys()])
    manifests = [...manifests, ...manifests]
    expect(() => registry.actions).toThrow('two tools declare')
  })

  it('is what the next call runs by', async () => {
    const server = await startServer((_, response) => sendJson(response, { a: 1 }))
    const saved = [{ name: 'x', url: `${server.origin}/t`, label: 'internal' as const, fields: [] }]
    let http = none
    let tools = declared(http)
    const port = createToolPort({
      ...{ place: 'home', transport: startTransport(), exemptOrigins: [], checkToken: () => permit('test') },
      get tools() {
        return tools
      },
      ownOrigins: {
        get http() {
          return ownHosts(http)
        },
      },
      ...{ credentials: sourceOf(null), redact: <T>(value: T) => value, breaker: NO_BREAKER },
    })
    const call = { action: 'http.saved', args: { name: 'x' }, capability: tokenFor('http.saved') }
    expect(await port.run(call)).toMatchObject({ ok: false, reason: { code: 'remote_not_found' } })
    http = { hosts: [], saved }
    tools = declared(http)
    expect(await port.run(call)).toMatchObject({ ok: true })
  })
})
