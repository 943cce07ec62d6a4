/**
 * Which models a task's template selects (D-09), and the owner's acknowledgement of clouds, given and revoked (D-03, D-04, D-07,
 * F-01, F-17).
 */
import { describe, expect, it } from 'vitest'
import { chainFor } from '../../kernel/inference/chain.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

const named = (id: string, locality: 'home' | 'cloud'): ModelProvider => scriptedModel(id, () => id, locality)
const RULES: ModelProvider = { ...named('rules', 'home'), reads: 'parts' }
const CHAIN = [
  named('claude', 'cloud'),
  named('gpt', 'cloud'),
  named('box', 'home'),
  named('mini', 'home'),
  RULES,
]
/** `far` and `near` are configured, but not in the chain. */
const modelOf = (provider: string, model: string | null) => {
  if (!['claude', 'gpt', 'box', 'mini', 'far', 'near'].includes(provider)) return null
  const isHome = provider === 'near' || (provider === 'box' && model?.endsWith('-cloud') === false)
  return named(model === null ? provider : `${provider}:${model}`, isHome ? 'home' : 'cloud')
}

describe('the models of a template', () => {
  it.each([
    ['that says nothing special', 'chain', null, ['claude', 'gpt', 'box', 'mini', 'rules']],
    ['of a provider', 'gpt', null, ['gpt', 'claude', 'box', 'mini', 'rules']],
    ['of a provider and another model of it', 'gpt', 'big', ['gpt:big', 'claude', 'box', 'mini', 'rules']],
    ['that is local', 'local', null, ['box', 'mini', 'rules']],
    ['that is local, with another model', 'local', 'tiny', ['box:tiny', 'mini', 'rules']],
    [
      'that is local, with a model of its server’s that is not',
      'local',
      'big-cloud',
      ['box', 'mini', 'rules'],
    ],
    ['of a provider outside the chain', 'far', null, ['far', 'claude', 'gpt', 'box', 'mini', 'rules']],
    ['of another model of one', 'near', 'm', ['near:m', 'claude', 'gpt', 'box', 'mini', 'rules']],
    ['of a provider that is not set up', 'gone', 'big', ['claude', 'gpt', 'box', 'mini', 'rules']],
  ])('a template selects its models: %s', (_, provider, model, asked) => {
    const chain = chainFor(CHAIN, { provider, model, asksForCloud: false }, modelOf)
    expect(chain.map(({ reader }) => reader.id)).toEqual(asked)
  })

  it('a template that names a provider outside the chain is planned and answered by it, and no other task calls it (D-09)', async () => {
    const NOTHING = JSON.stringify({ steps: [], explanation: '' })
    const speaks = (id: string) =>
      scriptedModel(id, ({ parts }) => (parts.purpose === 'plan' ? NOTHING : `from ${id}`))
    const answered = async (provider: string) => {
      const outside = (name: string) => (name === 'far' ? speaks('far') : null)
      const world = createWorld({
        ...{ models: [speaks('box')], modelOf: outside, tools: mailTools() },
        templates: [{ ...talk(provider, 'sensitive'), intents: ['greeting', 'question', 'other'] }],
      })
      await world.say('hi')
      return world.heard()
    }
    expect([await answered('far'), await answered('chain')]).toEqual(['from far', 'from box'])
  })

  it('a local template calls no cloud, even for public data and with the owner’s acknowledgement', async () => {
    const asked: string[] = []
    const cloud = scriptedModel('cloud', () => `from ${asked.push('cloud')}`, 'cloud')
    const world = createWorld({ models: [cloud], templates: [talk('local', 'internal')] })
    await world.say('hi')
    expect([asked, (await world.shell.report((await world.say('hi')) ?? ''))?.task.model]).toEqual([
      [],
      'rules',
    ])
  })
})

const talk = (provider: string, ceiling: string, asks = false) => ({
  ...{ template_id: 'talk', triggers: ['adapter:terminal:message:owner'], principal_class: 'owner' },
  ...{ intents: ['greeting', 'email_check'], description: 'Talk', allowed_tools: ['email.list'] },
  ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
  ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: ceiling },
  inference: { provider, ...(asks && { owner_acknowledged_cloud_risk: true }) },
})

describe('the owner’s acknowledgement of clouds', () => {
  const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const
  const made = (ceiling = 'sensitive', more: object = {}) => {
    const cloud = scriptedModel('cloud', () => 'from afar', 'cloud')
    return createWorld({
      tools: mailTools(),
      models: [cloud],
      templates: [{ ...talk('chain', ceiling), ...more }],
    })
  }
  const answeredBy = async (world: ReturnType<typeof made>) =>
    (await world.shell.report(await world.say('hi')))?.task.model

  it('the acknowledgement counts from the next call on, and so does revoking it', async () => {
    const world = made()
    expect(await answeredBy(world)).toBe('rules')
    await acknowledgeCloud(world, 'talk')
    expect(await answeredBy(world)).toBe('cloud')
    const [grant] = await world.ports.grants.list()
    expect(grant).toMatchObject({ kind: 'cloud', template: 'talk', state: 'live' })
    await world.ports.grants.revoke(grant?.id ?? '', OWNER_PRINCIPAL)
    expect(await answeredBy(world)).toBe('rules')
    const kinds = world.audited.map(({ kind, facts }) => [kind, facts['kind'] ?? facts['revoked']])
    expect(kinds).toContainEqual(['approval_asked', 'cloud_opt_in'])
    expect(kinds).toContainEqual(['approval_decided', 'cloud_opt_in'])
    expect(kinds).toContainEqual(['grant_changed', 'cloud'])
    expect(kinds).toContainEqual(['grant_changed', true])
  })

  it('the acknowledgement ends after a year', async () => {
    const world = made()
    await acknowledgeCloud(world, 'talk')
    world.clock.now += 365 * 86_400_000
    expect(await answeredBy(world)).toBe('rules')
  })

  it.each([
    ['the message that asked for it', { message: 'asked' }, 'approval_step_up'],
    ['no message at all', {}, 'approval_step_up'],
    ['the edge', { message: 'other', place: 'edge' as const }, 'approval_place_too_low'],
    ['somebody else', { message: 'other', principal: 'principal:fake:eve' }, 'approval_wrong_principal'],
  ])('the acknowledgement cannot be given by %s (F-17)', async (_, change, code) => {
    const world = made()
    const put = await world.ports.cloud({ ...OWNER, message: 'asked' }, 'talk')
    const approval = put.ok ? put.value.approval : ''
    const said = await world.shell.decide({ ...OWNER, approval, decision: 'approve', ...change })
    expect(said).toMatchObject({ ok: false, reason: { code } })
    expect(await answeredBy(world)).toBe('rules')
  })

  it('the acknowledgement is asked for at home only', async () => {
    const put = await made().ports.cloud({ ...OWNER, place: 'edge', message: 'm' }, 'talk')
    expect(put).toMatchObject({ ok: false, reason: { code: 'approval_place_too_low' } })
  })

  it.each([
    ['a template that may hold what is regulated', 'regulated', {}, 'declassification_forbidden'],
    ['one for a compartment', 'internal', { data_compartments: ['health'] }, 'declassification_forbidden'],
    ['one that reads nothing private', 'internal', {}, 'nothing_found'],
    ['one that there is not', 'sensitive', { template_id: 'other' }, 'template_none_matches'],
  ])('no acknowledgement is asked for %s (D-04)', async (_, ceiling, more, code) => {
    const put = await made(ceiling, more).ports.cloud({ ...OWNER, message: 'm' }, 'talk')
    expect(put).toMatchObject({ ok: false, reason: { code } })
  })

  it('the acknowledgement is asked for once', async () => {
    const world = made()
    await acknowledgeCloud(world, 'talk')
    const again = await world.ports.cloud({ ...OWNER, message: 'm' }, 'talk')
    expect(again).toMatchObject({ ok: false, reason: { code: 'nothing_found' } })
  })
})
