/**
 * Contract of home's private line, one row per method (E-05): what it passes to the kernel and as which principal, and
 * that malformed or unknown requests reach nothing. Whoever can open the socket may call; no parameter names a
 * principal.
 */
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { createRestoreMethods } from '../../sidecar/backup/edge-transfer.ts'
import { createChannelMethods, type ReloadService } from '../../sidecar/channels/channel-service.ts'
import { createHomeMethods, type HomeMethodPowers } from '../../sidecar/line/home-methods.ts'
import { createOperationMethods } from '../../sidecar/line/home-operations.ts'
import { listen, type SocketServer } from '../../sidecar/line/listen.ts'
import type { Methods } from '../../sidecar/line/method.ts'
import type { CredentialService } from '../../sidecar/secrets/credential-service.ts'
import type { OfferService } from '../../sidecar/secrets/offer-service.ts'
import { createConnectMethods, createSecretMethods } from '../../sidecar/secrets/secret-methods.ts'
import type { SecretService } from '../../sidecar/secrets/secret-service.ts'
import { PLAIN_LINE } from './fixtures/line.ts'
import { type Client as Caller, connectClient, followHome } from './fixtures/process.ts'

/** What the methods called, and with which arguments. */
const called: { readonly name: string; readonly args: readonly unknown[] }[] = []

/** Answers every call, whatever its name, and records it. */
function recorder<T>(path: string): T {
  const answer = (...args: readonly unknown[]): Promise<Result<unknown>> => {
    called.push({ name: path, args })
    return Promise.resolve(ok({ task: 't1', turn: 1, principal: 'principal:owner', number: 1 }))
  }
  return new Proxy(answer, {
    get: (_target, name) =>
      name === 'then' ? undefined : recorder(path === '' ? String(name) : `${path}.${String(name)}`),
  }) as unknown as T
}

const METHODS: Methods = {
  ...createHomeMethods({
    ...recorder<HomeMethodPowers>(''),
    shell: recorder('shell'),
    now: () => 1,
    drive: () => undefined,
    ...{
      status: recorder('status'),
      stop: recorder('stop'),
    },
  }),
  ...createSecretMethods(recorder<SecretService>('secrets'), recorder<OfferService>('offers')),
  ...createConnectMethods(
    recorder<CredentialService>('credentials'),
    () => false,
    () => [],
  ),
  ...createChannelMethods(recorder<ReloadService>('channels')),
  ...createRestoreMethods({ edge: null } as never),
}

const OWNER = 'principal:owner'
const HERE = { principal: OWNER, place: 'home' }
const TERMINAL = { principal: OWNER, sink: 'sink:terminal:owner' }
const SCOPE = { tools: [], actions: [], hosts: [] }

interface Row {
  readonly params: Readonly<Record<string, unknown>>
  /** What it calls, with its first arguments. */
  readonly calls: string
  readonly with?: readonly unknown[]
}

const VERBS: Readonly<Record<string, Row>> = {
  send: {
    params: { id: 'm1', text: 'hi' },
    calls: 'shell.receive',
    with: [
      expect.objectContaining({
        source: { adapter: 'terminal', user: 'local', chat: 'owner', group: false },
        place: 'home',
      }),
    ],
  },
  deliveries: { params: { after: 3 }, calls: 'shell.deliveries', with: ['sink:terminal:owner', 3, 100] },
  task: { params: { id: 't1' }, calls: 'shell.report', with: ['t1'] },
  stop: { params: { task: 't1' }, calls: 'shell.stop', with: ['t1'] },
  status: { params: {}, calls: 'status' },
  secret_set: {
    params: { name: 'google', value: 'x', kind: 'token', ...SCOPE, allowDevelopmentKey: false },
    calls: 'secrets.set',
    with: [{ name: 'google', value: 'x', kind: 'token', ...SCOPE, allowDevelopmentKey: false }],
  },
  secret_rotate: { params: { name: 'google', value: 'x' }, calls: 'secrets.rotate' },
  secret_delete: { params: { name: 'google', check: '0000' }, calls: 'secrets.delete' },
  secret_accept: { params: { name: 'google', check: '0000' }, calls: 'offers.accept' },
  connect: {
    params: { service: 'google', value: 'x' },
    calls: 'credentials.give',
    with: ['google', 'x', false],
  },
  channel_reload: { params: { channel: 'slack' }, calls: 'channels.reload', with: ['slack'] },
  secret_decline: { params: { name: 'google' }, calls: 'offers.decline' },
}
/** Methods that answer without the kernel: `shutdown` would end the test's process, and the other needs an edge. */
const OTHERS: Readonly<Record<string, object>> = {
  shutdown: { result: {} },
  connectable: { result: { services: [] } },
  restore_edge: { error: { code: 'remote_unavailable', message: 'remote_unavailable' } },
}

let server: SocketServer
let client: Caller
let path: string
beforeAll(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'pfar-line-')), 'home.sock')
  const listening = await listen({
    ...PLAIN_LINE,
    path,
    operations: createOperationMethods(recorder('operations'), () => 'm1'),
    methods: METHODS,
    follow: recorder('feed.follow'),
  })
  if (!listening.ok) throw new Error(listening.reason.code)
  server = listening.value
  client = await connectClient(path)
})
afterAll(async () => {
  client?.socket.destroy()
  await server?.close()
})

async function ask(method: string, params?: unknown): Promise<unknown> {
  called.length = 0
  return client.ask(method, params as Readonly<Record<string, unknown>>)
}
const code = (answer: unknown): unknown =>
  (answer as { readonly error?: { readonly code: string } }).error?.code

test('there is a row for every method', () => {
  expect(Object.keys(METHODS).sort()).toEqual([...Object.keys(VERBS), ...Object.keys(OTHERS)].sort())
})

test('only the account that owns the socket may connect', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

describe.each(Object.entries(VERBS))('%s', (method, row) => {
  test('reaches what it names, as the owner at home', async () => {
    expect(code(await ask(method, row.params))).toBeUndefined()
    const [first] = called
    expect(first?.name).toBe(row.calls)
    const front = first?.args.slice(0, row.with?.length ?? 0)
    expect(front).toEqual(row.with ?? [])
  })

  test.each([
    ['who is speaking', { ...row.params, principal: 'principal:telegram:peer:7' }],
    ['a place', { ...row.params, place: 'edge' }],
    ['something unknown', { ...row.params, other: 1 }],
  ])('refuses parameters that name %s', async (_what, params) => {
    expect(code(await ask(method, params))).toBe('frame_malformed')
    expect(called).toEqual([])
  })

  test.each(Object.keys(row.params))('refuses a wrong %s', async (key) => {
    for (const wrong of [{ nested: true }, [7]])
      expect([wrong, code(await ask(method, { ...row.params, [key]: wrong }))]).toEqual([
        wrong,
        'frame_malformed',
      ])
    expect(called).toEqual([])
  })
})

test.each(Object.entries(OTHERS))(
  '%s answers without the kernel, and takes no parameter',
  async (method, answer) => {
    expect(await ask(method, {})).toMatchObject(answer)
    expect(code(await ask(method, { other: 1 }))).toBe('frame_malformed')
  },
)

test.each([
  ['a verb that is not there', 'secret_get'],
  ['one that would give a value back', 'secret_show'],
  ['a name of Object', 'constructor'],
  ['nothing', ''],
])('%s is refused and reaches nothing', async (_what, method) => {
  expect(code(await ask(method, {}))).toBe('frame_malformed')
  expect(called).toEqual([])
})

describe.each(OPERATIONS.map(({ name }) => name))('operation %s', (operation) => {
  test('has a path of its own, and is called as the owner at home', async () => {
    expect(code(await ask('operation', { operation, args: { any: 1 } }))).toBeUndefined()
    const caller = { ...HERE, ...TERMINAL, door: 'terminal', message: 'm1' }
    expect(called).toEqual([{ name: 'operations', args: [{ operation, args: { any: 1 }, caller }] }])
  })

  // An operation validates its own arguments: see test/operations.
  test('takes a record of arguments', async () => {
    expect(code(await ask('operation', { operation, args: [] as never }))).toBe('frame_malformed')
    expect(called).toEqual([])
  })
})

test('a follower gets the rows above a number', async () => {
  called.length = 0
  const follower = await followHome(path, 3)
  expect(called).toEqual([{ name: 'feed.follow', args: [expect.anything(), 3] }])
  follower.socket.destroy()
})

test.each(['not JSON', '', '7', '[]', 'null', '{"as":"eve"}', '{"after":3,"as":"eve"}'])(
  'a body that is not a request reaches nothing: %s',
  async (body) => {
    called.length = 0
    for (const at of ['/methods/status', '/methods/send', '/events'])
      expect([at, code((await client.post(at, body)).answer)]).toEqual([at, 'frame_malformed'])
    expect(called).toEqual([])
  },
)

test.each(['/', '/methods', '/methods/', '/operations', '/methods/status/', '/METHODS/status', '/hello/'])(
  'there is no route at %s',
  async (at) => {
    called.length = 0
    expect(await client.post(at, '{}')).toMatchObject({ status: 404 })
    expect(called).toEqual([])
  },
)
