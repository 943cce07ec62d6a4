/** Who plans (DESIGN §10): a model, unless every word is accounted for without one; and what is said of a part that is left. */
import { describe, expect, it } from 'vitest'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const LIST = { steps: [{ id: 's1', do: 'tool', tool: 'email.list', args: {} }] }

const withModel = (plan: (round: number) => object | string = () => LIST): World => {
  let round = 0
  const model = scriptedModel('a-model', ({ parts }) => {
    if (parts.purpose !== 'plan') return 'done'
    const made = plan(round++)
    return typeof made === 'string' ? made : JSON.stringify(made)
  })
  return createWorld({ tools: TOOLS, models: [model] })
}

const plannerOf = async (world: World, words: string): Promise<string | null> => {
  const task = await world.say(words)
  return world.disk.store.loadTask(task)?.planner ?? null
}

describe('with a model', () => {
  it.each([
    "what's on my calendar tomorrow and do I have new mail?",
    'check my mail, then book lunch',
    'check my mail and calendar',
    'any mail from Sarah about the budget that is not answered yet?',
    // Of what comes again, only what is read whole is booked without a model.
    'add gym every Tuesday at 7am unless I am travelling',
    'add gym every Tuesday at 7am until it gets warm',
    'book lunch with Sarah on Friday at 13:00 and coffee with Tom on Monday at 9',
    'what mails did I get, except newsletters',
    'was steht morgen in meinem Kalender?',
    'please do the unusual thing',
    "show me my mail if it's urgent",
    'make it half an hour later',
    'make my 11:00 call an hour later',
    'make my call with Tom at 11 shorter',
    'put the meeting on Friday at 10 half an hour earlier',
    'book a call with Sarah',
    // Words for others that are told about, and facts that stand elsewhere.
    'Reply to Sarah that both numbers are fine.',
    'send a mail to tom@x.example saying I am late',
    "Note down the deadline from Sarah's mail for me.",
    'Merk dir, was in Toms Mail steht',
    "remind me tomorrow of the deadline from Sarah's mail",
  ])('“%s” is planned by it', async (words) => {
    expect(await plannerOf(withModel(), words)).toBe('a-model')
  })

  it.each([
    ['check my mail', 'canned'],
    ['any new mail from Sarah today?', 'canned'],
    ['please show me the last three emails', 'canned'],
    ["what's on my calendar tomorrow?", 'canned'],
    ['am I free on Friday afternoon?', 'canned'],
    ['book lunch with Sarah on Friday at 13:00', 'rules'],
    ['add gym every Tuesday at 7am', 'rules'],
    ['remember that my gym card is in the blue bag', 'canned'],
    ["remember that Sarah's mail is in the archive", 'canned'],
    ['read https://harbour.example/times and summarise it', 'canned'],
  ])('“%s” needs none: %s', async (words, planner) => {
    const world = withModel()
    expect(['canned', 'rules']).toContain(await plannerOf(world, words))
    expect(planner).not.toBe('a-model')
    expect(world.prompts.some(({ parts, model }) => parts.purpose === 'plan' && model === 'a-model')).toBe(
      false,
    )
  })

  it('falls back to what was understood when no plan of it holds, and says that this is a part', async () => {
    const world = withModel(() => 'no plan at all')
    expect(await plannerOf(world, 'check my mail and then book lunch')).not.toBe('a-model')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(world.disk.store.recentTasks('principal:owner', 1)[0]?.trouble?.code).toBe('request_in_part')
  })

  it.each([
    [
      { do: 'tool', tool: 'email.burn', args: {} },
      { tool: 's1', reason: 'tool_unknown' },
    ],
    [
      { do: 'extract', from: 'w1.emails[0].subject', kind: 'colour', question: 'Which?' },
      { tool: 's1.kind', reason: 'plan_malformed' },
    ],
    [
      { do: 'classify', of: 's7', question: 'Is it?', options: ['a', 'b'] },
      { tool: 's1', reason: 'reference_forward' },
    ],
  ])(
    'gets the place and the reason code of a plan that breaks a rule, and mends it: %j',
    async (step, told) => {
      const world = withModel((round) => (round === 0 ? { steps: [{ id: 's1', ...step }] } : LIST))
      expect(await plannerOf(world, 'please do the unusual thing')).toBe('a-model')
      const [, second] = world.prompts.filter(({ parts }) => parts.purpose === 'plan')
      expect(second?.parts.troubles).toEqual([told])
      expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    },
  )

  it('opens no breaker by plans that are none', async () => {
    const world = withModel((round) => (round < 12 ? 'no plan at all' : LIST))
    for (let message = 0; message < 6; message += 1) await world.say('please do the unusual thing')
    expect(await plannerOf(world, 'please do the unusual thing')).toBe('a-model')
  })
})

describe('with a model, what code planned and did not find', () => {
  const MOVE = 'move the budget review tomorrow to 17:00'
  const more = { 'calendar.update_event': () => ({ ok: true as const, output: { id: 'e1' } }) }
  const READ = { id: 's3', do: 'tool', tool: 'email.list', args: {} }

  const worldOf = (...plans: readonly object[]): World => {
    let round = 0
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(plans[round++] ?? { steps: [] }) : 'done',
    )
    return createWorld({ tools: { ...TOOLS, ...more }, models: plans.length === 0 ? [] : [model] })
  }
  const troubleOf = (world: World) => world.disk.store.recentTasks('principal:owner', 1)[0]?.trouble?.code

  it('is planned by it, from what was read, and nothing is told as not found', async () => {
    const world = worldOf({ steps: [READ] })
    expect(await plannerOf(world, MOVE)).toBe('a-model')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events', 'email.list'])
    const [plan] = world.prompts.filter(({ parts, model }) => parts.purpose === 'plan' && model === 'a-model')
    expect(plan?.parts.instruction).toMatch(/ with s3,/)
    expect(plan?.parts.metadata.map(({ root, action }) => [root, action])).toEqual(
      expect.arrayContaining([
        ['s1', 'calendar.list_events'],
        ['s2', 'select'],
      ]),
    )
    const written = world.prompts.find(({ parts }) => parts.purpose === 'synthesize')
    expect(written?.parts.troubles).toEqual([])
    expect(troubleOf(world)).toBeUndefined()
  })

  it('asks before a write of it, as what was read decided that', async () => {
    const args = { id: { $ref: 's1.events[0].id' }, calendar: 'primary', from: '2026-11-27T17:00:00Z' }
    const world = worldOf({ steps: [{ id: 's3', do: 'tool', tool: 'calendar.update_event', args }] })
    await world.say(MOVE)
    expect(await world.ports.approvals.list('principal:owner')).toMatchObject([
      { tool: 'calendar.update_event', reason: 'write_raw' },
    ])
    expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
  })

  it('is told as not found where it has no plan either, and where there is none', async () => {
    for (const world of [worldOf({ steps: [] }), worldOf()]) {
      await world.say(MOVE)
      expect(troubleOf(world)).toBe('nothing_found')
    }
  })

  it.each([
    ['is planned by it where it was to be all rows, too', [{ steps: [READ] }], undefined],
    ['and told as not found where it has none', [{ steps: [] }], 'nothing_found'],
  ])('%s', async (_what, plans, trouble) => {
    const tools = {
      ...TOOLS,
      'email.archive': () => ({ ok: true as const, output: { emails: [], changed: 0, gone: 0 } }),
    }
    let round = 0
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(plans[round++]) : 'done',
    )
    const world = createWorld({ tools, models: [model] })
    expect(await plannerOf(world, 'archive all newsletters')).toBe('a-model')
    expect(world.calls.map(({ tool }) => tool)).not.toContain('email.archive')
    expect(troubleOf(world)).toBe(trouble)
    expect(round).toBe(1)
  })

  it('is asked for once', async () => {
    const again = { id: 's3', do: 'select', from: 's1.events', matching: 'nowhere', take: 'one' }
    const world = worldOf({ steps: [again] }, { steps: [{ ...READ, id: 's4' }] })
    await world.say(MOVE)
    expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
    expect(troubleOf(world)).toBe('nothing_found')
  })
})

describe('with a model, a search of which nothing was found', () => {
  const rows = (count: number) => ({
    ok: true as const,
    output: { emails: EMAILS.slice(0, count), more: false },
  })
  const search = (words: string, id = 's1') => ({ id, do: 'tool', tool: 'email.search', args: { words } })
  const OTHER = search('budget', 's2')
  const SAVE = { id: 's2', do: 'tool', tool: 'memory.save', args: { text: 'there is none' } }

  interface Ran {
    readonly world: World
    readonly planning: readonly FinalPrompt[]
    readonly trouble: string | undefined
  }

  /** Of the owner's, and of what not every model may read. */
  const ABOVE = {
    ...{ template_id: 'above', triggers: ['adapter:terminal:message:owner'], principal_class: 'owner' },
    ...{ intents: ['other'], description: 'Mails that are guarded.', allowed_tools: ['email.search'] },
    ...{ max_tool_calls: 9, max_tokens_plan: 500, max_tokens_synthesize: 500 },
    ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: 'regulated' },
  }

  const ran = async (
    words: string,
    plans: readonly object[],
    {
      tools = {},
      of,
      templates,
    }: {
      readonly templates?: NonNullable<WorldOptions['templates']>
      readonly tools?: Readonly<Record<string, ScriptedTool>>
      readonly of?: ModelProvider['reader']
    } = {},
  ): Promise<Ran> => {
    let round = 0
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(plans[round++] ?? { steps: [] }) : 'done',
    )
    const found: ScriptedTool = ({ words: asked }) => rows(asked === 'budget' ? 1 : 0)
    const world = createWorld({
      tools: { ...TOOLS, 'email.search': found, ...tools },
      models: [{ ...model, ...(of && { reader: of }) }],
      ...(templates && { templates }),
    })
    await world.say(words)
    const planning = world.prompts.filter(
      ({ parts, model: by }) => parts.purpose === 'plan' && by === 'a-model',
    )
    return { world, planning, trouble: world.disk.store.recentTasks('principal:owner', 1)[0]?.trouble?.code }
  }
  const searched = ({ world }: Ran) => world.calls.map(({ args }) => args['words'])

  it.each([
    ['planned by code', 'find the mail about the invoice', [{ steps: [OTHER] }], 1],
    ['planned by it', 'please do the unusual thing', [{ steps: [search('Etat')] }, { steps: [OTHER] }], 2],
    [
      'from which it goes on',
      'please do the unusual thing',
      [
        {
          steps: [
            search('Etat'),
            { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } },
          ],
        },
        { steps: [{ ...OTHER, id: 's3' }] },
      ],
      2,
    ],
  ])('is planned once more in other words, where it was %s', async (_how, words, plans, rounds) => {
    const one = await ran(words, plans)
    expect(searched(one)).toEqual([expect.stringMatching(/^(?:Etat|the invoice)$/), 'budget'])
    expect(one.planning).toHaveLength(rounds)
    expect(one.trouble).toBeUndefined()
    const last = one.planning.at(-1)
    expect(last?.parts.troubles).toEqual([{ tool: 's1', reason: 'nothing_found' }])
    expect(last?.provenance.label.atoms.map(({ origin }) => origin)).toContain('tool:email.search')
  })

  it('is told as not found where the further plan has nothing, is none, or finds nothing either, and that is all', async () => {
    for (const plans of [
      [{ steps: [] }],
      [{}, {}],
      [{ steps: [search('Haushalt', 's2')] }, { steps: [OTHER] }],
    ]) {
      const one = await ran('please do the unusual thing', [{ steps: [search('Etat')] }, ...plans])
      expect(searched(one)).not.toContain('budget')
      expect(one.trouble).toBeUndefined()
      expect(one.world.heard()).toContain('done')
    }
  })

  it.each([
    ['something else was found', [{ ...LIST.steps[0], id: 's1' }, search('Etat', 's2')]],
    [
      'something was done',
      [{ ...SAVE, id: 's1', args: { text: 'the unusual thing' } }, search('Etat', 's2')],
    ],
    ['it was no search by words', [{ id: 's1', do: 'tool', tool: 'email.search', args: { unread: true } }]],
    [
      'a text that was looked up led to it',
      [
        { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm1' } },
        { id: 's2', do: 'extract', from: 's1', kind: 'text', question: 'What is it about?' },
        { id: 's3', do: 'tool', tool: 'email.search', args: { words: { $ref: 's2' } } },
      ],
    ],
    [
      'it failed',
      [
        { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'nobody' }, independent: true },
        search('Etat', 's2'),
      ],
    ],
  ])('is not planned anew where %s', async (_why, steps) => {
    const { planning } = await ran('please do the unusual thing', [{ steps }, { steps: [] }])
    expect(planning).toHaveLength(1)
  })

  it('is not planned anew where the model saw that already', async () => {
    const one = await ran('please do the unusual thing', [
      { steps: [search('Etat')], again: true },
      { steps: [search('Haushalt', 's2')] },
      { steps: [{ ...OTHER, id: 's3' }] },
    ])
    expect(searched(one)).toEqual(['Etat', 'Haushalt'])
  })

  it('asks before a write of the further plan, as the empty list decided that', async () => {
    const { world } = await ran('please do the unusual thing', [
      { steps: [search('Etat')] },
      { steps: [SAVE] },
    ])
    expect(await world.ports.approvals.list('principal:owner')).toMatchObject([
      { tool: 'memory.save', reason: 'write_raw' },
    ])
    expect(world.disk.store.facts('principal:owner', 5)).toEqual([])
  })

  it('is not planned anew by a model that may not know of that list', async () => {
    const reader = { id: 'a-model', locality: 'home', level: 'sensitive', compartments: [] } as const
    const guarded: ScriptedTool = () => ({ ...rows(0), level: 'regulated' })
    const plans = [{ steps: [search('Etat')] }, { steps: [OTHER] }]
    const one = await ran('please do the unusual thing', plans, {
      of: reader,
      tools: { 'email.search': guarded },
      templates: [ABOVE],
    })
    expect(one.planning).toHaveLength(1)
    expect(searched(one)).toEqual(['Etat'])
  })
})

describe('without one', () => {
  it('keeps no words that only point at what somebody wrote, and says what is missing', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say("Note down the deadline from Sarah's mail for me.")
    expect(world.disk.store.facts('principal:owner', 5)).toEqual([])
    expect(world.heard()).toContain('Tell me the words themselves')
  })

  it('does what it understood, and says that it is not all', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my mail and then book lunch')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(world.heard()).toContain('I did only a part of what you asked')
  })

  it('says nothing of the kind about a request that it understood whole', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('could you check my mail please?')
    expect(world.heard()).not.toContain('only a part')
  })
})
