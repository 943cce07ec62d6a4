/** Who plans (DESIGN §10): a model, unless every word is accounted for without one; and what is said of a part that is left. */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

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
    'add gym every Tuesday at 7am except in August',
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
    expect(plan?.parts.instruction).toBe('s3')
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

  it('is asked for once', async () => {
    const again = { id: 's3', do: 'select', from: 's1.events', matching: 'nowhere', take: 'one' }
    const world = worldOf({ steps: [again] }, { steps: [{ ...READ, id: 's4' }] })
    await world.say(MOVE)
    expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
    expect(troubleOf(world)).toBe('nothing_found')
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
