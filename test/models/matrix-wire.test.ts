/**
 * The same matrix on the wire (D-01 – D-06, regression 4): the adapters of both places, real sockets, and servers that record their
 * requests. Each host gets every canary that it may read, and no other.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { edgeProviders, withRemoteModels } from '../../durable-objects/models.ts'
import { edgeModels } from '../../durable-objects/platform/models-setting.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { createHomeModels } from '../../sidecar/models/home-models.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'
import { type Bridge, createBridge } from './lent-bridge.ts'
import { mayRead, type Reader, ROWS, type Row } from './matrix.ts'
import { askAll, canaryOf } from './matrix-call.ts'
import { type ScriptedServer, says, startScripted } from './scripted-server.ts'
import { KEY } from './voices.ts'

type Hosted = Exclude<Reader, 'rules'>
const servers = {} as Record<Hosted, ScriptedServer>
const transport = createPinnedTransport()

beforeAll(async () => {
  for (const [name, service] of [
    ['anthropic', 'anthropic'],
    ['openai', 'openai'],
    ['local', 'ollama'],
  ] as const) {
    servers[name] = await startScripted(service)
    // Refuses each request, so that the next model in the chain is called, too.
    servers[name].script = (response, voice) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(voice.errorBody(400))
    }
  }
})

afterAll(async () => {
  for (const server of Object.values(servers)) await server.close()
  await transport.close()
})

function homeModels() {
  const entry = (name: Hosted, more: string): string =>
    `[[models.providers]]\nname = "${name}"\nmodel = "m"\n${more}\n`
  const parsed = parseConfig(
    [
      '[models]\nchain = ["anthropic", "openai", "local"]\n',
      entry('anthropic', `kind = "anthropic"\nkey = "vault:a"\nbase_url = "${servers.anthropic.origin}"`),
      // At a local address, where it stands for a company's.
      entry(
        'openai',
        `kind = "openai"\nkey = "vault:o"\ncloud = true\nbase_url = "${servers.openai.origin}/v1"`,
      ),
      entry('local', `kind = "ollama"\nkey = "vault:l"\nbase_url = "${servers.local.origin}"`),
    ].join('\n'),
  )
  if (!parsed.ok || parsed.value.models.trouble !== null) throw new Error(JSON.stringify(parsed))
  const keys = { issue: async () => ok(KEY), settle: () => undefined }
  return createHomeModels({ config: parsed.value.models, transport, keys })
}

function homeChain(): readonly ModelProvider[] {
  return homeModels().models
}

/** With home's models, over the frames of the tunnel. */
function edgeChain({ model }: Bridge): readonly ModelProvider[] {
  const { anthropic, openai } = servers
  const providers = [
    { name: 'anthropic', kind: 'anthropic', model: 'm', base_url: anthropic.origin },
    { name: 'openai', kind: 'openai', model: 'm', base_url: `${openai.origin}/v1` },
  ]
  const keys = { MODEL_KEY_ANTHROPIC: KEY, MODEL_KEY_OPENAI: KEY }
  // Either setting allows a local server.
  const ways = { localOrigins: [anthropic.origin], modelOrigins: [openai.origin] }
  const exempt = [...ways.localOrigins, ...ways.modelOrigins]
  const models = edgeModels({ MODELS: JSON.stringify({ providers }), ...keys }, exempt)
  expect(models.trouble).toBeNull()
  return withRemoteModels(edgeProviders({ models, ...ways }), [model({ name: 'local' })], models)
}

it('each host received what it may read, and nothing else', async () => {
  const { lent } = homeModels()
  expect(lent.map(({ reader }) => reader.id)).toEqual(['local'])
  const { powers } = createWorld()
  const bridge = createBridge({ powers, lent })
  const chains = { home: homeChain(), edge: edgeChain(bridge) }
  for (const row of ROWS) {
    bridge.link.up = row.home
    await askAll(row, chains[row.place])
  }
  const received = (name: Hosted, row: Row): boolean =>
    servers[name].seen.some(({ raw }) => raw.includes(`"${canaryOf(row)}"`) || raw.includes(canaryOf(row)))
  const table = ROWS.map((row) => ({
    row: canaryOf(row),
    got: (['anthropic', 'openai', 'local'] as const).filter((name) => received(name, row)),
  }))
  const lawful = ROWS.map((row) => ({
    row: canaryOf(row),
    got: mayRead(row).filter((name) => name !== 'rules'),
  }))
  expect(table).toEqual(lawful)
  // No model was called either that may not read the content.
  const asked = lawful.flatMap(({ got }) => got)
  for (const name of ['anthropic', 'openai', 'local'] as const)
    expect(servers[name].seen).toHaveLength(asked.filter((one) => one === name).length)
})

it('a mail’s body goes to home’s model, to a cloud once the owner acknowledges it, and no longer after that is revoked', async () => {
  const BODY = 'Could you look at the numbers?'
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.list', args: {} },
    { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } },
    { id: 's3', do: 'compose', from: ['s2.body'], instruction: 'Sum it up.', maxChars: 500 },
  ]
  const template = {
    ...{ template_id: 'mail', triggers: ['adapter:terminal:message:owner'], intents: ['email_check'] },
    ...{ principal_class: 'owner', description: 'Mail', allowed_tools: ['email.list', 'email.read'] },
    ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
    ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: 'sensitive' },
    // What the file asks for acknowledges nothing.
    inference: { provider: 'chain', owner_acknowledged_cloud_risk: true },
    plans: [{ intent: 'email_check', steps }],
  }
  const world = createWorld({ tools: mailTools(), models: homeChain(), templates: [template] })
  const names = ['anthropic', 'openai', 'local'] as const
  for (const name of names) servers[name].script = says(`from ${name}`)
  const asked = async () => {
    for (const name of names) servers[name].seen.length = 0
    await world.say('check my email')
    return names.map((name) => [name, servers[name].seen.filter(({ raw }) => raw.includes(BODY)).length > 0])
  }
  const atHome = [
    ['anthropic', false],
    ['openai', false],
    ['local', true],
  ]
  expect(await asked()).toEqual(atHome)
  await acknowledgeCloud(world, 'mail')
  expect(await asked()).toEqual([
    ['anthropic', true],
    ['openai', false],
    ['local', false],
  ])
  servers.anthropic.script = (response, voice) => {
    response.writeHead(529, { 'content-type': 'application/json' }).end(voice.errorBody(529))
  }
  // The first is retried before the next is called, and both may read it.
  expect(await asked()).toEqual([
    ['anthropic', true],
    ['openai', true],
    ['local', false],
  ])
  expect(servers.anthropic.seen).toHaveLength(2 * 3)
  const [grant] = await world.ports.grants.list()
  await world.ports.grants.revoke(grant?.id ?? '', OWNER_PRINCIPAL)
  expect(await asked()).toEqual(atHome)
  expect([servers.anthropic.seen, servers.openai.seen]).toEqual([[], []])
})
