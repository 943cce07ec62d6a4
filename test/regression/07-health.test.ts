/**
 * Regression 7 (S001 §17, R-18, invariant C): `regulated:health` goes only where that compartment is granted. All sinks
 * of both places' shipped policies by the policy engine; then a record of health through the whole pipeline at home, to
 * every chat and by every write: refused and audited, but where it was granted.
 */
import { describe, expect, test } from 'vitest'
import { EDGE_SINKS } from '../../durable-objects/directory.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import type { Compartment } from '../../kernel/flow/level.ts'
import { checkEgress, type Policy } from '../../kernel/flow/policy.ts'
import type { Sink } from '../../kernel/flow/sink.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { HOME_POLICY } from '../../sidecar/home/home-policy.ts'
import { createWorld, message, scriptedModel } from '../pipeline/world.ts'

const HEALTH = 'health' as Compartment
const NOTE = 'blood pressure 141 over 92'

const reading = labelOf([
  { origin: 'tool:health.read', field: 'note', level: 'regulated', compartment: HEALTH },
])
const why = (policy: Policy, sink: string): string => {
  const verdict = checkEgress(policy, { label: reading, sink, template: 'any', now: 0 })
  return verdict.allow ? verdict.by : verdict.code
}

/** Of the tools that write. */
const TOOL_SINKS = TOOL_MANIFESTS.flatMap(({ actions }) =>
  actions.flatMap(({ sink }) => (sink === null ? [] : [sink])),
)

describe('the shipped policies, sink by sink', () => {
  test('home: the owner’s own memory and home itself, and nothing else', () => {
    expect(Object.fromEntries(HOME_POLICY.sinks.map(({ id }) => [id, why(HOME_POLICY, id)]))).toEqual({
      'sink:terminal:owner': 'compartment_missing',
      'sink:telegram:private': 'compartment_missing',
      'sink:slack:private': 'compartment_missing',
      'sink:openline:owner': 'compartment_missing',
      ...Object.fromEntries(TOOL_SINKS.map((sink) => [sink, 'compartment_missing'])),
      'sink:memory:owner': 'clearance',
      'sink:memory:open': 'compartment_missing',
      'sink:place:edge': 'compartment_missing',
      'sink:place:home': 'clearance',
    })
  })

  test('the edge: no sink at all', () => {
    const policy = { ...HOME_POLICY, sinks: EDGE_SINKS, allowLists: [] }
    for (const { id } of EDGE_SINKS) expect([id, why(policy, id)]).toEqual([id, 'compartment_missing'])
  })

  test.each(['sink:whatsapp:+4915112345678', 'sink:github:repo', 'sink:nowhere:owner'])(
    '%s, unknown, gets none',
    (id) => {
      expect(why(HOME_POLICY, id)).toBe('sink_unknown')
    },
  )
})

/** The owner's chats of the specification: one of them with the compartment. */
const chat = (name: string, compartments: readonly Compartment[] = []): Sink => ({
  ...{ id: `sink:${name}:owner`, place: 'home', level: 'sensitive', compartments },
  ...{ principal: OWNER_PRINCIPAL, audience: 'sole' },
})
const CHATS = ['telegram', 'slack', 'whatsapp', 'console'] as const
const GRANTED = 'telegram'
const POLICY: Policy = {
  ...HOME_POLICY,
  sinks: [...HOME_POLICY.sinks, ...CHATS.map((name) => chat(name, name === GRANTED ? [HEALTH] : []))],
  allowLists: [
    { guard: 'sensitive', patterns: [...CHATS.map((name) => `sink:${name}:owner`), 'sink:place:home'] },
    { guard: 'regulated:health', patterns: [`sink:${GRANTED}:owner`, 'sink:memory:owner'] },
  ],
}

const WRITE_SINKS = ['sink:slack:owner', 'sink:whatsapp:owner', 'sink:place:edge', 'sink:openline:owner']
const writeId = (sink: string): string => `health.to_${sink.split(':')[1]}`
const action = (id: string, rest: Partial<ActionManifest>): ActionManifest => ({
  ...{
    id,
    description: id,
    semantics: 'read',
    ceiling: 'regulated',
    compartment: HEALTH,
    reaches: 'regulated',
    sink: null,
  },
  args: { kind: 'record', fields: {} },
  output: { kind: 'record', fields: { note: { kind: 'text', max: 200 } } },
  ...rest,
})
const MANIFEST: ToolManifest = {
  ...{ name: 'health', version: '1', ownerOnly: true, places: ['home'], network: [], credential: null },
  actions: [
    action('health.read', {}),
    ...WRITE_SINKS.map((sink) =>
      action(writeId(sink), {
        ...{ semantics: 'write', sink },
        args: { kind: 'record', fields: { text: { kind: 'text', max: 200 } } },
      }),
    ),
  ],
}
const REGISTRY = createRegistry([MANIFEST])
const TEMPLATE = {
  template_id: 'health_owner',
  triggers: CHATS.map((name) => `adapter:${name}:*:owner`),
  principal_class: 'owner',
  description: 'The owner asks for what is regulated',
  allowed_tools: ['health.*', 'memory.save', 'message.reply'],
  max_tool_calls: 5,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: CHATS.map((name) => `sink:${name}:owner`),
  data_ceiling: 'regulated',
  data_compartments: ['health'],
}

const READ = { id: 's1', do: 'tool', tool: 'health.read', args: {} }
const fileIn = (tool: string) => ({ id: 's2', do: 'tool', tool, args: { text: { $ref: 's1.note' } } })

async function asked(name: string, steps: readonly unknown[]) {
  const writer = scriptedModel('writer', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : `It says: ${NOTE}.`,
  )
  const tools = {
    'health.read': () => ({ ok: true, output: { note: NOTE } }) as const,
    ...Object.fromEntries(
      WRITE_SINKS.map((sink) => [writeId(sink), () => ({ ok: true, output: {} }) as const]),
    ),
  }
  const world = createWorld({ tools, models: [writer], owner: CHATS.map((one) => `${one}:local`) })
  const templates = loadTemplates([TEMPLATE], REGISTRY, EFFECT_IDS)
  if (!templates.ok) throw new Error(JSON.stringify(templates.reason))
  const loaded = templates.value.templates
  const powers: Powers = { ...world.powers, registry: REGISTRY, templates: loaded, policy: () => POLICY }
  const shell = createShell(powers)
  const source = { adapter: name, user: 'local', chat: 'owner', group: false }
  const received = await shell.receive({ ...message('please do the unusual thing', { id: 'h1' }), source })
  if (!received.ok) throw new Error(received.reason.code)
  await shell.run(received.value.principal)
  const report = await shell.report(received.value.task)
  const audit = world.disk.store.auditOf(received.value.task)
  const denials = audit.filter(({ kind }) => kind === 'denial').map(({ facts }) => facts)
  return { world, report, denials, calls: world.calls.map(({ tool }) => tool) }
}

test('a tool of health that reaches a host takes no argument, so that there is nothing to tell it', () => {
  const reaching = TOOL_MANIFESTS.filter(({ network }) => network.length > 0).flatMap(({ actions }) =>
    actions.filter(({ compartment }) => compartment === HEALTH),
  )
  expect(reaching.length).toBeGreaterThan(0)
  for (const { id, args, semantics } of reaching)
    expect([id, semantics, Object.keys(args.fields)]).toEqual([id, 'read', []])
})

describe('a record of health through the pipeline', () => {
  test('is held by the task that asked, labelled', async () => {
    const { report } = await asked(GRANTED, [READ])
    expect(report?.task).toMatchObject({ label: 'regulated:health', place: 'home' })
    expect(report?.task.steps).toMatchObject([
      { tool: 'health.read', label: 'regulated:health', outcome: 'done' },
    ])
  })

  test('reaches the chat that is granted the compartment', async () => {
    const { world, report, denials } = await asked(GRANTED, [READ])
    expect(world.sent.map(({ sink, label }) => [sink, label])).toEqual([
      ['sink:telegram:owner', 'regulated:health'],
    ])
    expect(world.heard()).toContain(NOTE)
    expect(report?.task.state).toBe('completed')
    expect(denials).toEqual([])
  })

  test.each(CHATS.filter((name) => name !== GRANTED))(
    'does not reach %s, and the denial is audited',
    async (name) => {
      const { world, report, denials } = await asked(name, [READ])
      expect(world.sent.map(({ text }) => text).join('\n')).not.toContain(NOTE)
      expect(report?.reply ?? '').not.toContain(NOTE)
      expect(denials).toMatchObject([{ code: 'compartment_missing', sink: `sink:${name}:owner` }])
      // The owner is notified, in words that hold none of the data.
      expect(world.sent).toHaveLength(1)
      expect(world.sent[0]).toMatchObject({ sink: `sink:${name}:owner`, label: 'public' })
    },
  )

  const writes = [
    ...WRITE_SINKS.map((sink) => [sink, writeId(sink)] as const),
    ['sink:memory:owner', 'memory.save'] as const,
  ]
  test.each(writes)('is not written to %s from a chat that may not see it', async (_sink, tool) => {
    const { calls, world, denials, report } = await asked('slack', [READ, fileIn(tool)])
    expect(calls).toEqual(['health.read'])
    expect(world.sent.map(({ text }) => text).join('\n')).not.toContain(NOTE)
    expect(denials.length).toBeGreaterThan(0)
    for (const { code } of denials)
      expect(['declassification_forbidden', 'compartment_missing']).toContain(code)
    expect(report?.task.steps.at(-1)?.approved ?? false).toBe(false)
  })

  test.each(['sink:place:edge', 'sink:openline:owner'])(
    'is not even asked about for %s, which lies at the edge',
    async (sink) => {
      const { calls, denials, world } = await asked(GRANTED, [READ, fileIn(writeId(sink))])
      expect(calls).toEqual(['health.read'])
      expect(denials).toMatchObject([{ code: 'declassification_forbidden', sink }])
      expect(world.sent.map(({ kind }) => kind)).not.toContain('card')
    },
  )
})
