/**
 * What may be told to strangers under a grant at all (F-14): no text, nothing regulated or secret or of a
 * compartment, of reads alone; and to whom: one person in that person's own chat, never a group.
 */

import { describe, expect, it } from 'vitest'
import { policyFor } from '../../kernel/features/people/route.ts'
import { ASKER, type FlowGrant } from '../../kernel/flow/grant.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import type { Compartment } from '../../kernel/flow/level.ts'
import { checkEgress, type Policy } from '../../kernel/flow/policy.ts'
import { kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { HOME_POLICY } from '../../sidecar/home/home-policy.ts'
import { OWNER, waiting } from './approvals-owner.ts'
import { createWorld, FRIDAY_NOON } from './world.ts'

const HEALTH = 'health' as Compartment

const READ: ActionManifest = {
  id: 'body.read',
  description: 'One of everything.',
  semantics: 'read',
  args: { kind: 'record', fields: {} },
  output: {
    kind: 'record',
    fields: {
      free: { kind: 'boolean', level: 'internal' },
      plain: { kind: 'boolean' },
      note: { kind: 'text', max: 100, level: 'internal' },
      pulse: { kind: 'number', level: 'internal', compartment: HEALTH },
      weight: { kind: 'number', level: 'regulated' },
      code: { kind: 'number', level: 'secret' },
      days: {
        kind: 'list',
        max: 5,
        of: { kind: 'record', fields: { at: { kind: 'date' }, why: { kind: 'text', max: 9 } } },
      },
    },
  },
  ...{ ceiling: 'sensitive', compartment: null, reaches: 'sensitive', sink: null },
}
const GUARDED: ActionManifest = { ...READ, id: 'body.guarded', ceiling: 'regulated', compartment: HEALTH }
const REGULATED: ActionManifest = { ...READ, id: 'body.regulated', ceiling: 'regulated' }
const WRITE: ActionManifest = { ...READ, id: 'body.write', semantics: 'write' }

const BODY: ToolManifest = {
  ...{ name: 'body', version: '1', ownerOnly: false, places: ['home'], network: [], credential: null },
  actions: [READ, GUARDED, REGULATED, WRITE],
}

const TEMPLATE = {
  template_id: 'asking',
  triggers: ['adapter:signal:message:third_party'],
  principal_class: 'third_party',
  description: 'Somebody asks.',
  planner_task_description: 'Somebody asks.',
  allowed_tools: ['body.read', 'body.guarded', 'body.regulated'],
  max_tool_calls: 2,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}

describe('a grant of fields to whoever asks', () => {
  it.each<[string, string, readonly string[], string]>([
    ['a boolean that is internal', 'body.read', ['free'], 'ok'],
    ['one at the action’s own level', 'body.read', ['plain'], 'ok'],
    ['a date in a list', 'body.read', ['days[].at'], 'ok'],
    ['text, however low', 'body.read', ['note'], 'declassification_forbidden'],
    ['text in a list', 'body.read', ['days[].why'], 'declassification_forbidden'],
    ['a compartment', 'body.read', ['pulse'], 'declassification_forbidden'],
    ['what is regulated', 'body.read', ['weight'], 'declassification_forbidden'],
    ['what is secret', 'body.read', ['code'], 'declassification_forbidden'],
    [
      'one lawful field beside one that is not',
      'body.read',
      ['free', 'weight'],
      'declassification_forbidden',
    ],
    ['any field of an action in a compartment', 'body.guarded', ['free'], 'declassification_forbidden'],
    [
      'a field without a level of a regulated action',
      'body.regulated',
      ['plain'],
      'declassification_forbidden',
    ],
    ['a field with a level of its own of a regulated action', 'body.regulated', ['free'], 'ok'],
    ['a field that is none', 'body.read', ['mood'], 'field_unknown'],
    ['a record and not its field', 'body.read', ['days'], 'field_unknown'],
    ['no field', 'body.read', [], 'field_unknown'],
    ['the result of a write', 'body.write', ['free'], 'tool_not_in_template'],
  ])('%s: %s %j is %s', async (_, action, fields, code) => {
    const world = createWorld()
    const registry = createRegistry([BODY])
    const loaded = loadTemplates([TEMPLATE], registry, EFFECT_IDS)
    if (!loaded.ok) throw new Error(loaded.reason.code)
    const { templates } = loaded.value
    const { grants } = kernelPorts({ ...world.powers, registry, templates })
    const put = await grants.allow(
      { principal: OWNER, place: 'home', message: 'm1' },
      { template: 'asking', action, fields, daysAhead: 7, days: 7, perDay: 1 },
    )
    expect(put.ok ? 'ok' : put.reason.code).toBe(code)
    expect(await waiting(world)).toHaveLength(code === 'ok' ? 1 : 0)
  })

  it('has no fields of a write, even where a template has one, which the loader gives no stranger’s', async () => {
    const world = createWorld()
    const registry = createRegistry([BODY])
    const loaded = loadTemplates([TEMPLATE], registry, EFFECT_IDS)
    if (!loaded.ok) throw new Error(loaded.reason.code)
    const templates = loaded.value.templates.map((one) => ({ ...one, tools: [...one.tools, 'body.write'] }))
    const { grants } = kernelPorts({ ...world.powers, registry, templates })
    const put = await grants.allow(
      { principal: OWNER, place: 'home', message: 'm1' },
      { template: 'asking', action: 'body.write', fields: ['free'], daysAhead: 7, days: 7, perDay: 1 },
    )
    expect(put).toMatchObject({ reason: { code: 'field_unknown' } })
  })
})

describe('the chat that a task sees', () => {
  const GRANT: FlowGrant = {
    ...{ id: 'g1', template: 'scheduling', origin: 'tool:calendar.freebusy', field: 'slots[].busy' },
    ...{ sink: ASKER, expiresAt: FRIDAY_NOON + 1, revoked: false },
  }
  const POLICY: Policy = { ...HOME_POLICY, flowGrants: [GRANT] }
  const BUSY = labelOf([
    { origin: 'tool:calendar.freebusy', field: 'slots[].busy', level: 'internal', compartment: null },
  ])
  const WORDS = (sink: string) =>
    labelOf([{ origin: `chat:${sink}`, field: 'words', level: 'internal', compartment: null }])

  it.each<[string, string, string, 'sole' | 'many', string, string]>([
    ['a person', 'sink:telegram:bob', 'principal:telegram:peer:bob', 'sole', 'grant:g1', 'own_words'],
    ['a Slack member', 'sink:slack:W1:D1', 'principal:slack:W1:D1:U1', 'sole', 'grant:g1', 'own_words'],
    ['a number', 'sink:whatsapp:x', 'principal:whatsapp:+4912345678', 'sole', 'grant:g1', 'own_words'],
    ['a group', 'sink:telegram:g1', 'principal:telegram:group:g1', 'many', 'write_down', 'write_down'],
    ['nobody that has a name', 'sink:telegram:x', 'bob', 'many', 'write_down', 'write_down'],
  ])('of %s: the granted fields and the words of the asker', (_, sink, principal, audience, busy, words) => {
    const policy = policyFor(POLICY, { sink, principal, place: 'home' })
    expect(policy.sinks.at(-1)).toMatchObject({ id: sink, level: 'public', audience, principal })
    const request = { sink, template: 'scheduling', now: FRIDAY_NOON }
    const verdicts = [BUSY, WORDS(sink)].map((label) => checkEgress(policy, { ...request, label }))
    expect(verdicts.map((verdict) => (verdict.allow ? verdict.by : verdict.code))).toEqual([busy, words])
  })

  it('is the configured one where there is one, and no stranger’s for it', () => {
    const chat = {
      sink: 'sink:terminal:owner',
      principal: 'principal:telegram:peer:bob',
      place: 'home',
    } as const
    expect(policyFor(POLICY, chat)).toBe(POLICY)
  })
})
