/** Templates: what the loader refuses, how it normalises, and which one an event gets (B-30, B-33 – B-40, X-04). */

import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { EventKind } from '../../kernel/task/event.ts'
import type { PrincipalClass } from '../../kernel/task/principal.ts'
import { type LoadedTemplate, loadTemplates, parseTemplate } from '../../kernel/template/load.ts'
import { matchTemplate, type Template } from '../../kernel/template/template.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { action, probe } from '../invariants/probe.ts'
import { codeOf, EFFECT_IDS, REGISTRY, shippedTemplates } from '../task/fixtures.ts'

const FILE = {
  template_id: 'sample',
  triggers: ['adapter:terminal:message:owner'],
  principal_class: 'owner',
  description: 'A sample',
  allowed_tools: ['email.list'],
  max_tool_calls: 5,
  max_tokens_plan: 1000,
  max_tokens_synthesize: 1000,
  output_sinks: ['sink:terminal:owner'],
  data_ceiling: 'sensitive',
}
const WRITE = { semantics: 'write', sink: 'sink:sky:owner' }
const STRANGER = {
  triggers: ['adapter:telegram:message:third_party'],
  principal_class: 'third_party',
  planner_task_description: 'Someone asks for a time.',
  allowed_tools: ['web.read', 'message.reply'],
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}
const LIST_PLAN = { intent: 'email_check', steps: [{ id: 's1', do: 'tool', tool: 'email.list', args: {} }] }
const WEB_PLAN = { intent: 'web_read', steps: [{ id: 's1', do: 'tool', tool: 'web.read', args: {} }] }
const WEBHOOK = { ...STRANGER, triggers: ['adapter:webhook:webhook:webhook'], principal_class: 'webhook' }
const CRON = { ...STRANGER, triggers: ['adapter:cron:cron_trigger:cron'], principal_class: 'cron' }

const parse = (part: object) => parseTemplate({ ...FILE, ...part }, REGISTRY, EFFECT_IDS)
const load = (...parts: readonly object[]) =>
  loadTemplates(
    parts.map((part, i) => ({ ...FILE, template_id: `t${i}`, ...part })),
    REGISTRY,
    EFFECT_IDS,
  )

function loaded(part: object): LoadedTemplate {
  const parsed = parse(part)
  if (!parsed.ok) throw new Error(parsed.reason.code)
  return parsed.value
}

describe('parseTemplate', () => {
  it('normalises a file, and fills in only what cannot widen it', () => {
    expect(loaded({})).toEqual({
      template: {
        id: 'sample',
        triggers: ['adapter:terminal:message:owner'],
        intents: [],
        principalClass: 'owner',
        description: 'A sample',
        plannerDescription: null,
        tools: ['email.list'],
        maxToolCalls: 5,
        maxTokensPlan: 1000,
        maxTokensSynthesize: 1000,
        sinks: ['sink:terminal:owner'],
        ceiling: { level: 'sensitive', compartments: [] },
        inference: { provider: 'local', model: null, asksForCloud: false },
        requireApprovalForWrites: false,
        plans: {},
      },
      warnings: [],
    })
  })

  it.each(Object.keys(FILE))('refuses a file without %s', (key) => {
    const { [key]: _, ...rest } = FILE as Record<string, unknown>
    expect(parseTemplate(rest, REGISTRY, EFFECT_IDS)).toEqual({
      ok: false,
      reason: { code: 'template_malformed', facts: { field: key } },
    })
  })

  it.each<[string, object]>([
    ['(unknown key)', { max_tool_call: 5 }],
    ['inference.(unknown key)', { inference: { provider: 'local', modle: 'x' } }],
    ['plans.0.(unknown key)', { plans: [{ ...LIST_PLAN, admin: true }] }],
    ['output_sinks', { output_sinks: [] }],
    ['output_sinks.0', { output_sinks: ['sink:*:*'] }],
    ['output_sinks.0', { output_sinks: ['everyone'] }],
    ['triggers', { triggers: [] }],
    ['triggers.0', { triggers: ['adapter:terminal:message'] }],
    ['triggers.0', { triggers: ['adapter:terminal:nonsense:owner'] }],
    ['triggers.0', { triggers: ['adapter:term*:message:owner'] }],
    ['data_ceiling', { data_ceiling: 'secret' }],
    ['data_ceiling', { data_ceiling: 'top' }],
    ['data_compartments', { data_compartments: ['Health!'] }],
    ['principal_class', { principal_class: 'admin' }],
    ['max_tool_calls', { max_tool_calls: -1 }],
    ['max_tool_calls', { max_tool_calls: 51 }],
    ['max_tool_calls', { max_tool_calls: 1.5 }],
    ['max_tokens_plan', { max_tokens_plan: 32_001 }],
    ['allowed_tools.0', { allowed_tools: ['*'] }],
    ['allowed_tools.0', { allowed_tools: ['email'] }],
    ['template_id', { template_id: 'a b' }],
    ['template_id', { template_id: 'constructor' }],
    ['plans.intent', { plans: [LIST_PLAN, LIST_PLAN] }],
    ['plans.again', { ...WEBHOOK, allowed_tools: ['web.read'], plans: [{ ...WEB_PLAN, again: true }] }],
    ['plans.0.intent', { plans: [{ ...LIST_PLAN, intent: '__proto__' }] }],
    [
      'inference.owner_acknowledged_cloud_risk',
      { data_ceiling: 'regulated', inference: { provider: 'cloud', owner_acknowledged_cloud_risk: true } },
    ],
    [
      'inference.owner_acknowledged_cloud_risk',
      {
        data_compartments: ['health'],
        inference: { provider: 'cloud', owner_acknowledged_cloud_risk: true },
      },
    ],
  ])('refuses at %s', (field, part) => {
    expect(parse(part)).toEqual({ ok: false, reason: { code: 'template_malformed', facts: { field } } })
  })

  describe('writes that may go unasked once the owner says so', () => {
    const fields = (extra: object) => ({
      kind: 'record' as const,
      fields: { day: { kind: 'date' as const }, ...extra },
    })
    const sky = (extra: object, args: object): ToolManifest =>
      ({
        ...{ name: 'sky', version: '1', ownerOnly: true, places: ['home'], credential: null, network: [] },
        actions: [
          action('sky.row', { semantics: 'write', sink: 'sink:sky:owner', args: fields(args), ...extra }),
        ],
      }) as unknown as ToolManifest
    const row = { allowed_tools: ['sky.row'], unasked_when_allowed: ['sky.row'] }
    const asking = { ...row, require_approval_for_writes: true }

    it.each<[string, string, object, ToolManifest]>([
      ['of typed values', 'ok', asking, sky({}, {})],
      ['of a tool that this place lacks', 'ok', asking, sky({ id: 'sky.other' }, {})],
      ['with a text', 'template_malformed', asking, sky({}, { note: { kind: 'text', max: 9 } })],
      [
        'with a text inside a list',
        'template_malformed',
        asking,
        sky({}, { notes: { kind: 'list', max: 2, of: { kind: 'text', max: 9 } } }),
      ],
      ['that are asked about always', 'template_malformed', asking, sky({ asks: 'always' }, {})],
      ['that are none', 'template_malformed', asking, sky({ semantics: 'read', sink: null }, {})],
      [
        'named by a capability alone',
        'template_malformed',
        { ...asking, allowed_tools: ['sky:w'] },
        sky({}, {}),
      ],
      ['where nothing else asks', 'template_malformed', row, sky({}, {})],
      [
        'of somebody else',
        'template_malformed',
        { ...asking, principal_class: 'cron', triggers: CRON.triggers, planner_task_description: 'x' },
        sky({}, {}),
      ],
    ])('are those %s: %s', (_, expected, part, manifest) => {
      expect(codeOf(parseTemplate({ ...FILE, ...part }, createRegistry([manifest]), EFFECT_IDS))).toBe(
        expected,
      )
    })
  })

  it.each([undefined, null, 'toml', []])('refuses %j', (input) => {
    expect(codeOf(parseTemplate(input, REGISTRY, EFFECT_IDS))).toBe('template_malformed')
  })

  it('lets the owner acknowledge the cloud below regulated', () => {
    const inference = { provider: 'anthropic', model: 'm', owner_acknowledged_cloud_risk: true }
    expect(loaded({ inference }).template.inference).toEqual({
      provider: 'anthropic',
      model: 'm',
      asksForCloud: true,
    })
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['the list is the whitelist', ['email.list'], [], ['email.list']],
    ['a family expands, sorted', ['email.*'], [], ['email.list', 'email.read']],
    ['a family of effects expands', ['memory.*'], [], ['memory.save', 'memory.search']],
    ['twice is once', ['email.list', 'email.*'], [], ['email.list', 'email.read']],
    ['a named denial wins', ['email.*'], ['email.read'], ['email.list']],
    ['a denied family wins', ['email.list', 'web.read'], ['email.*'], ['web.read']],
    ['denying all beside a list is no denial', ['email.list'], ['*'], ['email.list']],
    ['all and one by name', ['email.*'], ['*', 'email.list'], ['email.read']],
    ['nothing is nothing', [], ['*'], []],
  ])('X-04: %s', (_, allowed_tools, denied_tools, tools) => {
    expect(loaded({ allowed_tools, denied_tools }).template.tools).toEqual(tools)
  })

  it('warns of tools and plans that this place lacks, and of a denial that says nothing', () => {
    const { template, warnings } = loaded({
      allowed_tools: ['email.list', 'github.get_issue', 'notion.*'],
      denied_tools: ['*'],
      plans: [
        LIST_PLAN,
        { intent: 'other', steps: [{ id: 's1', do: 'tool', tool: 'notion.read_page', args: {} }] },
      ],
    })
    expect(template.tools).toEqual(['email.list'])
    expect(Object.keys(template.plans)).toEqual(['email_check'])
    expect(warnings).toEqual([
      { template: 'sample', about: 'tool_missing', subject: 'github.get_issue' },
      { template: 'sample', about: 'tool_missing', subject: 'notion.*' },
      { template: 'sample', about: 'plan_unavailable', subject: 'other' },
      { template: 'sample', about: 'deny_all_is_default', subject: '*' },
    ])
  })

  it.each<[string, object]>([
    ['template_class_mismatch', { ...STRANGER, allowed_tools: ['email.list'] }],
    ['template_class_mismatch', { ...STRANGER, allowed_tools: ['calendar.*'] }],
    ['template_class_mismatch', { ...STRANGER, allowed_tools: ['calendar.create_event'] }],
    ['template_class_mismatch', { ...STRANGER, allowed_tools: ['web.post'] }],
    ['template_class_mismatch', { ...STRANGER, allowed_tools: ['memory.search'] }],
    ['template_class_mismatch', { ...STRANGER, output_sinks: ['sink:terminal:owner'] }],
    ['template_class_mismatch', { ...STRANGER, planner_task_description: undefined }],
    ['template_class_mismatch', { ...STRANGER, triggers: ['adapter:terminal:message:owner'] }],
    ['template_class_mismatch', { triggers: ['adapter:telegram:message:third_party'] }],
    ['template_class_mismatch', WEBHOOK],
    ['template_class_mismatch', { ...WEBHOOK, allowed_tools: ['email.list'], plans: [LIST_PLAN] }],
    ['template_class_mismatch', { ...CRON, planner_task_description: undefined }],
    [
      'tool_not_in_template',
      { plans: [{ intent: 'x', steps: [{ ...LIST_PLAN.steps[0], tool: 'web.read' }] }] },
    ],
    ['tool_not_in_template', { denied_tools: ['email.list'], plans: [LIST_PLAN] }],
    ['plan_malformed', { plans: [{ intent: 'x', steps: [{ ...LIST_PLAN.steps[0], id: 's2' }] }] }],
    ['template_malformed', { plans: [{ intent: 'x' }] }],
    [
      'reference_forward',
      { plans: [{ intent: 'x', steps: [{ ...LIST_PLAN.steps[0], args: { a: { $ref: 's1' } } }] }] },
    ],
    ['ok', STRANGER],
    ['ok', { ...STRANGER, allowed_tools: ['calendar.freebusy'] }],
    ['ok', { ...STRANGER, output_sinks: ['sink:telegram:reply_to_sender'] }],
    ['ok', { ...WEBHOOK, allowed_tools: [] }],
    ['ok', { ...CRON, allowed_tools: ['email.list', 'calendar.create_event', 'memory.save'] }],
    ['ok', { data_ceiling: 'regulated' }],
    ['ok', { plans: [LIST_PLAN] }],
    ['ok', { tool_plans: true }],
    ['template_class_mismatch', { ...WEBHOOK, allowed_tools: [], tool_plans: true }],
  ])('%s for %o', (code, part) => {
    expect(codeOf(parse(part))).toBe(code)
  })

  it('takes the plans that its own tools have for what they read, beside those of its own', () => {
    const tool = (answers: object, semantics = 'read') => {
      const action = { ...TOOL_MANIFESTS[0]?.actions[0], id: 'email.list', semantics, answers }
      return createRegistry([{ ...TOOL_MANIFESTS[0], actions: [action] } as unknown as ToolManifest])
    }
    const steps = [{ id: 's1', do: 'tool', tool: 'email.list', args: { count: { $ref: 'said.count' } } }]
    const plansOf = (part: object, registry: ReturnType<typeof tool>) => {
      const file = { ...FILE, allowed_tools: ['email.list'], ...part }
      const made = parseTemplate(file, registry, EFFECT_IDS)
      return made.ok ? made.value.template.plans : made.reason.code
    }
    const answers = { intent: 'email_check', steps }
    const plan = { steps, explanation: '' }
    expect(plansOf({ tool_plans: true }, tool(answers))).toEqual({ email_check: plan })
    expect(plansOf({}, tool(answers))).toEqual({})
    expect(plansOf({ tool_plans: true, denied_tools: ['email.list'] }, tool(answers))).toEqual({})
    expect(plansOf({ tool_plans: true, plans: [LIST_PLAN] }, tool(answers))).toEqual({
      email_check: { steps: LIST_PLAN.steps, explanation: '' },
    })
    const foreign = [{ ...steps[0], tool: 'web.read' }]
    expect(plansOf({ tool_plans: true }, tool({ ...answers, steps: foreign }))).toEqual({})
    expect(plansOf({ tool_plans: true }, tool(answers, 'write'))).toEqual({})
    const save = [...steps, { id: 's2', do: 'tool', tool: 'memory.save', args: { text: 'x' } }]
    const kept = { tool_plans: true, allowed_tools: ['email.list', 'memory.save'] }
    expect(plansOf(kept, tool({ ...answers, steps: save }))).toEqual({})
  })

  it('never lets a cron template administer (B-07)', () => {
    const effects = [...EFFECT_IDS, 'admin.rotate']
    const file = { ...FILE, ...CRON, allowed_tools: ['admin.*'] }
    expect(codeOf(parseTemplate(file, REGISTRY, effects))).toBe('template_class_mismatch')
    expect(codeOf(parseTemplate({ ...FILE, allowed_tools: ['admin.*'] }, REGISTRY, effects))).toBe('ok')
  })

  it('knows the sender by one name', () => {
    const { template } = loaded({ ...STRANGER, output_sinks: ['sink:telegram:reply_to_sender'] })
    expect(template.sinks).toEqual(['reply_to_sender'])
  })
})

describe('loadTemplates', () => {
  const on = (...triggers: readonly string[]) => ({ triggers })

  it.each<[string, string, readonly object[]]>([
    ['template_ambiguous', 'one trigger twice', [{}, {}]],
    ['template_ambiguous', 'crossed stars', [on('adapter:*:message:owner'), on('adapter:terminal:*:owner')]],
    ['template_ambiguous', 'a shared intent', [{ intents: ['a', 'b'] }, { intents: ['b', 'c'] }]],
    [
      'template_ambiguous',
      'one trigger of several',
      [on('adapter:x:*:owner', 'adapter:y:*:owner'), on('adapter:y:*:owner')],
    ],
    [
      'template_malformed',
      'one id twice',
      [{ template_id: 'same' }, { ...on('adapter:x:*:owner'), template_id: 'same' }],
    ],
    ['template_malformed', 'one bad file', [{}, { triggers: [] }]],
    ['ok', 'nothing', []],
    [
      'template_ambiguous',
      'a chat that both answer in',
      [{ output_sinks: ['sink:x:a', 'sink:x:b'] }, { output_sinks: ['sink:x:b'] }],
    ],
    [
      'template_ambiguous',
      'whoever asks, beside a chat',
      [{ output_sinks: ['reply_to_sender'] }, { output_sinks: ['sink:x:b'] }],
    ],
    ['ok', 'chats that are apart', [{ output_sinks: ['sink:x:a'] }, { output_sinks: ['sink:x:b'] }]],
    ['ok', 'a narrower trigger', [{}, on('adapter:terminal:*:owner')]],
    ['ok', 'an intent beside none', [{}, { intents: ['a'] }]],
    ['ok', 'other intents', [{ intents: ['a'] }, { intents: ['b'] }]],
    [
      'ok',
      'another class',
      [on('adapter:telegram:message:*'), { ...STRANGER, triggers: ['adapter:telegram:message:*'] }],
    ],
    ['ok', 'other adapters', [on('adapter:x:*:owner'), on('adapter:y:*:owner')]],
    ['ok', 'its own triggers overlap', [on('adapter:x:*:owner', 'adapter:*:message:owner')]],
  ])('%s: %s', (code, _, parts) => {
    expect(codeOf(load(...parts))).toBe(code)
  })
})

describe('matchTemplate', () => {
  const set = load(
    { template_id: 'exact' },
    { template_id: 'mail', intents: ['email_check'] },
    { template_id: 'line', triggers: ['adapter:terminal:*:owner'] },
    { template_id: 'line_mail', triggers: ['adapter:terminal:*:owner'], intents: ['email_check'] },
    { template_id: 'any', triggers: ['adapter:*:*:owner'] },
    { template_id: 'peer', ...STRANGER },
  )
  const templates: readonly Template[] = set.ok ? set.value.templates : []

  it.each<[string, string, EventKind, PrincipalClass, string | null]>([
    ['exact', 'terminal', 'message', 'owner', null],
    ['exact', 'terminal', 'message', 'owner', 'chat'],
    ['mail', 'terminal', 'message', 'owner', 'email_check'],
    ['line', 'terminal', 'command', 'owner', null],
    ['line_mail', 'terminal', 'command', 'owner', 'email_check'],
    ['any', 'openline', 'message', 'owner', 'email_check'],
    ['peer', 'telegram', 'message', 'third_party', null],
    ['template_none_matches', 'telegram', 'command', 'third_party', null],
    ['template_none_matches', 'terminal', 'message', 'third_party', null],
    ['template_none_matches', 'terminal', 'message', 'paired', null],
    ['template_none_matches', 'webhook', 'webhook', 'webhook', null],
  ])('%s for %s %s by %s, intent %s', (expected, adapter, kind, name, intent) => {
    const matched = matchTemplate(templates, { adapter, kind, class: name, intent })
    expect(matched.ok ? matched.value.id : matched.reason.code).toBe(expected)
  })

  it('does not choose between equals that were never checked', () => {
    const twins = [loaded({ template_id: 'a' }).template, loaded({ template_id: 'b' }).template]
    const query = { adapter: 'terminal', kind: 'message', class: 'owner', intent: null } as const
    expect(codeOf(matchTemplate(twins, query))).toBe('template_ambiguous')
  })
})

describe('a capability', () => {
  const forecast = (part: object, action: object = {}): ToolManifest => {
    const args = { kind: 'record', fields: { place: { kind: 'text', disclosed: true } } }
    const output = { kind: 'record', fields: { high: { kind: 'number' } } }
    const read = { id: 'sky.read', description: 'Look', semantics: 'read', args, output, sink: null }
    const open = { ceiling: 'public', compartment: null, reaches: 'public' }
    const tool = { name: 'sky', version: '1', ownerOnly: false, places: ['home'], credential: null }
    const actions = [{ ...read, ...open, ...action }]
    return { ...tool, network: ['sky.example'], ...part, actions } as unknown as ToolManifest
  }
  const toolsOf = (allowed: readonly string[], manifests: readonly ToolManifest[]) => {
    const loaded = parseTemplate({ ...FILE, allowed_tools: allowed }, createRegistry(manifests), EFFECT_IDS)
    return loaded.ok ? [loaded.value.template.tools, loaded.value.warnings] : loaded.reason.code
  }

  const declaring = (name: string): readonly string[] =>
    TOOL_MANIFESTS.flatMap(({ actions }) => actions)
      .flatMap(({ id, capability }) => (capability === name ? [id] : []))
      .sort()

  it.each<[string, readonly string[], readonly string[]]>([
    ['selects every action that declares it', ['mail:read'], declaring('mail:read')],
    ['selects no action that declares another', ['calendar:free'], ['calendar.freebusy']],
    ['that nothing declares selects nothing, and is no fault', ['contacts:write'], []],
    ['stands beside names', ['web:read', 'email.list'], ['email.list', 'web.feed', 'web.read', 'web.search']],
  ])('%s', (_, allowed, tools) => expect(toolsOf(allowed, TOOL_MANIFESTS)).toEqual([tools, []]))

  it('to read in public is no page’s of any host', () => {
    expect(toolsOf(['public:read'], TOOL_MANIFESTS)[0]).not.toContain('web.read')
  })

  it('is left out where the file denies the tool', () => {
    const file = { ...FILE, allowed_tools: ['mail:read'], denied_tools: ['email.read'] }
    const loaded = parseTemplate(file, createRegistry(TOOL_MANIFESTS), EFFECT_IDS)
    const left = declaring('mail:read').filter((id) => id !== 'email.read')
    expect(loaded.ok && loaded.value.template.tools).toEqual(left)
  })

  const secret = { kind: 'record', fields: { place: { kind: 'text' } } }
  const known = { kind: 'record', fields: { days: { kind: 'number', level: 'public' } } }
  const inside = { kind: 'record', fields: { high: { kind: 'number', level: 'internal' } } }
  it.each<[string, boolean, ToolManifest]>([
    ['whose words are disclosed', true, forecast({})],
    ['whose arguments are public', true, forecast({}, { args: known })],
    ['with an argument that is neither', false, forecast({}, { args: secret })],
    ['with a key', false, forecast({ credential: 'google' })],
    ['of any host', false, forecast({ network: ['*'] }, { args: known })],
    ['that writes', false, forecast({}, { semantics: 'write', sink: 'sink:sky:owner' })],
    ['whose service is an account', false, forecast({}, { reaches: 'sensitive' })],
    ['that gives back more than what is public', false, forecast({}, { output: inside })],
  ])('to read in public is of a tool %s: %s', (_, has, manifest) => {
    expect(toolsOf(['public:read'], [manifest])).toEqual([has ? ['sky.read'] : [], []])
  })

  it.each<[string, readonly string[], ToolManifest]>([
    [
      'is of a read with a capability',
      ['own:read'],
      forecast({ credential: 'sky' }, { capability: 'sky:read' }),
    ],
    ['is of a public read', ['own:read'], forecast({})],
    ['to write is of a write with one', ['own:write'], forecast({}, { ...WRITE, capability: 'sky:write' })],
  ])('for whatever the owner has connected %s', (_, allowed, manifest) => {
    expect(toolsOf(allowed, [manifest])).toEqual([['sky.read'], []])
  })

  it.each<[string, string, ToolManifest]>([
    ['without a capability', 'own:read', forecast({ credential: 'sky' })],
    ['that writes, where reads are meant', 'own:read', forecast({}, { ...WRITE, capability: 'sky:write' })],
    ['that reads, where writes are meant', 'own:write', forecast({}, { capability: 'sky:read' })],
    ['in a compartment', 'own:read', forecast({}, { capability: 'sky:read', compartment: 'health' })],
  ])('for whatever the owner has connected is of none %s', (_, allowed, manifest) => {
    expect(toolsOf([allowed], [manifest])).toEqual([[], []])
  })

  it.each([
    ['paired', { principal_class: 'paired', triggers: ['adapter:*:*:paired'] }],
    ['cron', { principal_class: 'cron', triggers: ['adapter:cron:*:cron'] }],
  ])('for whatever the owner has connected is never of %s', (_, change) => {
    const file = { ...FILE, ...change, planner_task_description: 'x', allowed_tools: ['own:read'] }
    expect(parseTemplate(file, createRegistry(TOOL_MANIFESTS), EFFECT_IDS)).toMatchObject({
      ok: false,
      reason: { code: 'template_class_mismatch', facts: { field: 'allowed_tools' } },
    })
  })

  it.each(['public:read', 'own:read', 'own:write'])('%s cannot be claimed', (capability) => {
    expect(() => createRegistry([forecast({}, { capability })])).toThrow('sky.read')
  })

  it.each(['mail:', ':read', 'mail:read:all', 'Mail:read', '*:read'])('%s is none', (name) => {
    expect(toolsOf([name], TOOL_MANIFESTS)).toBe('template_malformed')
  })
})

describe('the templates that ship', () => {
  const files = shippedTemplates()
  const shipped = loadTemplates([...files.values()], createRegistry(TOOL_MANIFESTS), EFFECT_IDS)
  const byId = (id: string) =>
    shipped.ok ? shipped.value.templates.find((template) => template.id === id) : undefined

  it('load together, each under the name of its file', () => {
    expect(codeOf(shipped)).toBe('ok')
    for (const file of files.keys())
      expect(byId(file.replace('.toml', ''))?.id).toBe(file.replace('.toml', ''))
  })

  it('equal the samples of the specification in effect (S-12)', () => {
    expect(byId('whatsapp_scheduling')).toMatchObject({
      tools: ['calendar.freebusy', 'message.reply'],
      sinks: ['reply_to_sender'],
      ceiling: { level: 'internal' },
      maxToolCalls: 5,
      inference: { provider: 'local', model: 'llama3', asksForCloud: false },
    })
    expect(byId('owner_telegram_general')).toMatchObject({
      tools: [
        ...['calendar.freebusy', 'calendar.list_events', 'email.list', 'email.read'],
        ...['github.get_issue', 'github.list_prs', 'http.request', 'notion.query_db', 'notion.read_page'],
      ],
      sinks: ['sink:telegram:owner'],
      ceiling: { level: 'sensitive' },
      maxToolCalls: 15,
      inference: { provider: 'anthropic', asksForCloud: true },
    })
  })

  it('keep every canned plan where all tools exist', () => {
    // What takes a time that was asked for is looked up besides, which the planner adds.
    expect(Object.keys(byId('owner_open')?.plans ?? {})).toContain('calendar_free')
    expect(Object.keys(byId('owner_private')?.plans ?? {}).sort()).toEqual([
      'calendar_list',
      'email_check',
      'memory_save',
      'memory_search',
      'web_read',
    ])
    expect(Object.keys(byId('owner_open')?.plans ?? {})).not.toContain('email_check')
  })

  it.each([
    ['terminal', 'owner', 'owner_private'],
    ['openline', 'owner', 'owner_open'],
    ['telegram', 'owner', 'owner_telegram_general'],
    ['telegram', 'third_party', 'scheduling'],
    ['whatsapp', 'third_party', 'whatsapp_scheduling'],
    ['terminal', 'third_party', 'template_none_matches'],
    ['webhook', 'webhook', 'template_none_matches'],
  ] as const)('a message on %s by %s gets %s', (adapter, name, expected) => {
    const query = { adapter, kind: 'message', class: name, intent: null } as const
    const matched = matchTemplate(shipped.ok ? shipped.value.templates : [], query)
    expect(matched.ok ? matched.value.id : matched.reason.code).toBe(expected)
  })

  it('ask before every write at the private line, and hold the open line to internal', () => {
    expect(byId('owner_private')).toMatchObject({
      requireApprovalForWrites: true,
      ceiling: { level: 'sensitive' },
    })
    expect(byId('owner_open')).toMatchObject({
      ceiling: { level: 'internal' },
      sinks: ['sink:openline:owner', 'sink:telegram:open'],
    })
  })
})

describe('a wildcard (B-35)', () => {
  const manifest = (...ids: readonly string[]): ToolManifest => ({
    ...{ name: 'admin', version: '1', ownerOnly: true, places: ['home'], network: [], credential: null },
    actions: ids.map((id) => action(id, {})),
  })
  const FILES = [{ ...FILE, allowed_tools: ['admin.*'] }]
  const toolsOf = (...ids: readonly string[]): readonly string[] => {
    const loaded = loadTemplates(FILES, createRegistry([manifest(...ids)]), EFFECT_IDS)
    return loaded.ok ? (loaded.value.templates[0]?.tools ?? []) : [loaded.reason.code]
  }

  it('is written out when it is loaded: a newer action is not in it until it is loaded again', async () => {
    const before = toolsOf('admin.pause')
    expect(before).toEqual(['admin.pause'])
    expect(toolsOf('admin.pause', 'admin.wipe')).toEqual(['admin.pause', 'admin.wipe'])
  })

  it('that was loaded before a newer action does not run it, though the registry has it', async () => {
    const actions = ['probe.pause', 'probe.wipe'].map((id) => action(id, {}))
    const tools = Object.fromEntries(
      actions.map(({ id }) => [id, () => ({ ok: true, output: { ok: true } }) as const]),
    )
    const run = (loadedFrom: readonly ActionManifest[]) =>
      probe({
        actions,
        loadedFrom,
        tools,
        template: {},
        steps: [{ id: 's1', do: 'tool', tool: 'probe.wipe', args: {} }],
      })
    expect((await run(actions.slice(0, 1))).ran).toEqual([])
    expect((await run(actions)).ran).toEqual(['probe.wipe'])
  })
})
