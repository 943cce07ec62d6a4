/** A tool with several accounts opens each for one call: with its own credential, a client for its own hosts, and none that is not declared. */
import { expect, it } from 'vitest'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ActionManifest, OpenAccount, Tool, ToolCall, ToolManifest } from '../../kernel/tool/manifest.ts'
import { NO_BREAKER, refusal, tokenFor } from './calls.ts'
import { type LoopbackServer, startServer, startTransport } from './servers.ts'

const ACTION: ActionManifest = {
  ...{ id: 'probe.run', description: 'x', semantics: 'read', ceiling: 'public', compartment: null },
  ...{ reaches: 'public', sink: null, args: { kind: 'record', fields: {} } },
  output: { kind: 'record', fields: { said: { kind: 'text', max: 1_000 } } },
}

type Servers = Readonly<Record<'one' | 'two', LoopbackServer>>

async function run(work: (call: ToolCall, servers: Servers) => Promise<unknown>, status = 200) {
  const [one, two] = [
    await startServer((_, response) => response.writeHead(status).end('one')),
    await startServer((_, response) => response.writeHead(200).end('two')),
  ]
  const log: string[] = []
  const hosts: Readonly<Record<string, string>> = { one: one.host, two: two.host }
  const manifest: ToolManifest = {
    ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], credential: 'first' },
    network: [one.host, two.host],
    accounts: ['one', 'two'].map((name) => ({
      ...{ name, credential: 'key', account: name, network: [hosts[name] ?? ''] },
    })),
    actions: [ACTION],
  }
  const credentials: CredentialSource = {
    has: () => false,
    async issue({ credential, account }) {
      log.push(`issued ${credential} ${account}`)
      const settle = (use: string): void => void log.push(`${account} ${use}`)
      const value = `key-of-${account}`
      return ok({ credential: { scheme: 'bearer', value }, hosts: [hosts[account ?? ''] ?? ''], settle })
    },
  }
  const tool: Tool = {
    manifest,
    execute: async (call) => ({ ok: true, output: { said: JSON.stringify(await work(call, { one, two })) } }),
  }
  const port = createToolPort({
    ...{ place: 'home', tools: [tool], transport: startTransport(), exemptOrigins: [one.origin, two.origin] },
    checkToken: () => ({ allow: true }) as never,
    ...{ credentials, redact: (value) => value, breaker: NO_BREAKER },
  })
  const outcome = await port.run({ action: 'probe.run', args: {}, capability: tokenFor('probe.run') })
  const said = outcome.ok ? JSON.parse((outcome.output as { said: string }).said) : outcome
  return { said, log, one, two, port }
}

const opened = async (call: ToolCall, name: string): Promise<OpenAccount> => {
  const account = await call.open?.(name)
  if (account?.ok !== true) throw new Error('not opened')
  return account.value
}

it('nothing is unsealed that is not opened, and nothing is opened twice', async () => {
  expect((await run(async () => null)).log).toEqual([])
  const { log, said } = await run(async (call) => {
    const [first] = [await opened(call, 'two'), await opened(call, 'two')]
    return { key: first.credential?.value, usual: call.credential }
  })
  expect(log).toEqual(['issued key two'])
  expect(said).toEqual({ key: 'key-of-two', usual: null })
})

it('an account that is not declared is not opened', async () => {
  const { said, log } = await run((call) => call.open?.('three') ?? Promise.resolve(null))
  expect(said).toMatchObject(refusal('credential_mismatch'))
  expect(log).toEqual([])
})

it('the client of an account reaches its own host alone, and that of the call none', async () => {
  const { said, one, two, port } = await run(async (call, servers) => {
    const { http } = await opened(call, 'one')
    const to = async (url: string, by = http) => (await by.request({ method: 'GET', url })).ok
    return [
      await to(`${servers.one.origin}/`),
      await to(`${servers.two.origin}/`),
      await to(`${servers.one.origin}/`, call.http),
    ]
  })
  expect(said).toEqual([true, false, false])
  expect([one.seen.length, two.seen.length]).toEqual([1, 0])
  expect(port.availability({ id: 'probe.run' } as never)).toBe('here')
})

it.each([
  [200, ['issued key one', 'one accepted']],
  [401, ['issued key one', 'one rejected']],
  [500, ['issued key one']],
])('an answer of %i says of the credential: %j', async (status, told) => {
  const { log } = await run(async (call, { one }) => {
    const { http } = await opened(call, 'one')
    for (const _ of [1, 2]) await http.request({ method: 'GET', url: `${one.origin}/` })
    return null
  }, status)
  expect(log).toEqual(told)
})
