/** "And tomorrow?" right after a calendar was shown asks for that day; after anything else, or with more words, it does not. */
import { expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const lastPlan = ({ disk }: World) => disk.store.recentTasks('principal:owner', 1)[0]?.plan?.steps ?? []

/** The world begins on Friday 20 November 2026 at noon in Madrid. */
it.each(['und übermorgen?', 'and on monday?', 'what about next week?', 'und wie sieht es am Dienstag aus?'])(
  '%s',
  async (said) => {
    const of = await given('was steht morgen an', said)
    // The day of this message, and no other.
    expect(lastPlan(of)).toMatchObject([
      { tool: 'calendar.list_events', args: { from: { $ref: 'said.from' }, to: { $ref: 'said.to' } } },
    ])
    expect(of.disk.store.recentTasks('principal:owner', 9)).toHaveLength(2)
  },
)

it('stays of free times', async () => {
  const of = await given('am I free tomorrow', 'and on monday?')
  expect(lastPlan(of)).toMatchObject([{ tool: 'calendar.freebusy' }])
})

it.each([
  ['put milk on my list', 'und morgen?'],
  ['was steht morgen an', 'and Anna on monday?'],
])('%s, then: %s', async (before, said) => {
  const of = await given(before, said)
  expect(lastPlan(of).some((step) => 'tool' in step && step.tool === 'calendar.list_events')).toBe(false)
})
