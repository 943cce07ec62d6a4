/** "And tomorrow?" right after a calendar was shown asks for that day; after anything else, or with more words, it does not. */
import { expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
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

/** The days that were looked at, each on a calendar with one event on each day that has one, and on one with none. */
it.each([
  ['was steht morgen an', 'und am Tag danach?', '2026-11-22'],
  ["what's on tomorrow?", 'and the day after?', '2026-11-22'],
  ["what's on on Monday?", 'what about the following day?', '2026-11-24'],
  ["what's on on Monday?", 'and the day before?', '2026-11-22'],
  ['am I free on Monday?', 'und am nächsten Tag?', '2026-11-24'],
])('%s, then: %s: counted from the day that was looked at', async (before, said, day) => {
  for (const isBusy of [true, false]) {
    const looked: string[] = []
    const rows = ({ from }: Readonly<Record<string, unknown>>) => {
      looked.push(String(from).slice(0, 10))
      const at = `${String(from).slice(0, 10)}T12:00:00+01:00`
      const row = { from: at, to: at.replace('T12', 'T13') }
      return isBusy ? [row] : []
    }
    const tools = {
      'calendar.list_events': (args: Readonly<Record<string, unknown>>) => ({
        ok: true as const,
        output: {
          events: rows(args).map((row) => ({
            ...row,
            id: 'e1',
            title: 'Standup',
            allDay: false,
            attendees: 3,
          })),
          more: false,
        },
      }),
      'calendar.freebusy': (args: Readonly<Record<string, unknown>>) => ({
        ok: true as const,
        output: { slots: rows(args).map((row) => ({ ...row, busy: true })) },
      }),
    }
    const of = createWorld({
      models: [createRulesModel({ place: 'home', home: HOME_RULES })],
      tools: { ...calendarTools(), ...tools },
    })
    await of.say(before)
    of.clock.now += 1_000
    await of.say(said)
    expect(looked.at(-1)).toBe(day)
    expect(looked).toHaveLength(2)
  }
})
