/** A request that begins with "and", has a time and follows a look at something is planned by a model that reads the conversation (DESIGN §10). */
import { expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const FREE = [
  {
    ...{ id: 's1', do: 'tool', tool: 'calendar.freebusy' },
    args: { from: '2026-11-21T16:00+01:00', to: '2026-11-21T17:00+01:00' },
  },
]
const plannersOf = ({ prompts }: World, since: number): readonly string[] =>
  prompts.slice(since).flatMap(({ model, parts }) => (parts.purpose === 'plan' ? [model] : []))

async function asked(
  before: readonly string[],
  said: string,
  models = true,
): Promise<readonly [World, number]> {
  const model = scriptedModel('local', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: FREE }) : 'a text',
  )
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: models ? [model] : [] })
  for (const one of before) await world.say(one)
  const since = world.prompts.length
  await world.say(said)
  return [world, since]
}

it.each(['and am I free at four?', 'und bin ich um 16 Uhr frei?'])(
  '“%s” after another day was looked at',
  async (said) => {
    const [world, since] = await asked(['am I free tomorrow?'], said)
    expect(plannersOf(world, since)).toEqual(['local'])
    expect(world.prompts.at(since)?.user).toContain('am I free tomorrow?')
  },
)

it.each([
  ['am I free at four?', ['am I free tomorrow?']],
  ['and am I free at four?', []],
])('“%s” that follows nothing needs no model', async (said, before) => {
  const [world, since] = await asked(before, said)
  expect(plannersOf(world, since)).not.toContain('local')
})

it('without a model it is of the day that was shown, and is no part of a request', async () => {
  const [world] = await asked(['am I free tomorrow?'], 'and am I free at four?', false)
  expect(world.calls.at(-1)).toMatchObject({
    tool: 'calendar.freebusy',
    args: {
      from: expect.stringContaining('2026-11-27T16:00'),
      to: expect.stringContaining('2026-11-27T17:00'),
    },
  })
  const [task] = world.disk.store.recentTasks('principal:owner', 1)
  expect(task?.trouble).toBe(null)
})
