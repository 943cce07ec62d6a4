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
    'add gym every Tuesday at 7am',
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
    ['remember that my gym card is in the blue bag', 'canned'],
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

describe('without one', () => {
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
