/**
 * A reminder that came is put off in words of its own, one that is named is snoozed with its repetition kept, and a number counts for it while nothing else
 * could be meant by it.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const HOUR = 3_600_000
const local = (due: number | null) => new Date((due ?? 0) + HOUR).toISOString().slice(0, 16)
const open = ({ disk: { store } }: World) =>
  store.openReminders('principal:owner', 'reminder').map(({ number, due }) => [number, local(due)])

/** The world begins on Friday 20 November 2026 at noon in Madrid. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

async function came(): Promise<World> {
  const of = await given('in 20 minutes remind me to check the oven')
  of.clock.now = Number(of.disk.store.nextReminder())
  await of.shell.tick()
  return of
}

describe('put off', () => {
  it.each([
    ['in 10 minuten nochmal', '2026-11-20T12:30'],
    ['in half an hour again', '2026-11-20T12:50'],
    ['erinner mich in einer Viertelstunde nochmal dran', '2026-11-20T12:35'],
    ['nochmal in ner halben Stunde', '2026-11-20T12:50'],
    ['remind me of it again in a quarter of an hour', '2026-11-20T12:35'],
    ['gib mir noch eine halbe Stunde', '2026-11-20T12:50'],
    ['another ten minutes please', '2026-11-20T12:30'],
    ['20 more minutes', '2026-11-20T12:40'],
    ['frag mich um 16 uhr wieder', '2026-11-20T16:00'],
    ['not now, tell me again at 3pm', '2026-11-20T15:00'],
    ['jetzt nicht, morgen früh nochmal', '2026-11-21T08:00'],
    ['again in 5', '2026-11-20T12:25'],
    ['später', '2026-11-20T13:20'],
  ])('%s', async (said, due) => {
    const of = await came()
    await of.say(said)
    expect(of.heard()).toMatch(/^I will remind you again, .*\(reminder 1\)\.$/)
    expect(open(of)).toEqual([[1, due]])
  })

  it.each(['remind me again tomorrow to call Anna', 'what was it again', 'nochmal bitte die Mails von Anna'])(
    '%s: is no wish to put off what came',
    async (said) => {
      const of = await came()
      await of.say(said)
      expect(of.disk.store.reminderNumbered('principal:owner', 1)?.answered).toBeNull()
    },
  )

  it('one that came is found by its words as well', async () => {
    const of = await came()
    await of.say('remind me tomorrow at 10 to call mum')
    of.clock.now += 1_000
    await of.say('make the oven one 30 minutes')
    expect(of.heard()).toMatch(/^Put off: 1\. .*12:50: check the oven$/)
  })
})

describe('by its kind', () => {
  const BIN = 'erinner mich morgen um 9 an die Mülltonne'
  const PILLS = 'remind me every day at 7:30 to take my pills'
  it.each([
    ['verschieb erinnerung 1 auf 7 uhr', 1, '2026-11-21T07:00'],
    ['verschieb die Erinnerung an die Mülltonne auf 6:30 uhr', 1, '2026-11-21T06:30'],
    ['leg die Erinnerung wegen der Mülltonne bitte auf übermorgen', 1, '2026-11-22T09:00'],
    ['mach die mit der mülltonne auf sieben', 1, '2026-11-21T07:00'],
    ['erinnerung 1 erst um halb zehn', 1, '2026-11-21T09:30'],
    ['set the pills reminder to 8:15', 2, '2026-11-21T08:15'],
    ['make my pills reminder half an hour earlier', 2, '2026-11-21T07:00'],
    ['move reminder no. 2 to eight', 2, '2026-11-21T08:00'],
  ])('%s', async (said, number, due) => {
    const of = await given(BIN, PILLS)
    await of.say(said)
    expect(of.heard()).toMatch(new RegExp(`^Moved: ${number}\\. `))
    expect(open(of)).toContainEqual([number, due])
    const [, pills] = of.disk.store
      .openReminders('principal:owner', 'reminder')
      .toSorted((a, b) => a.number - b.number)
    expect(pills?.repeat?.kind).toBe('daily')
  })

  it('what is not there is said of reminders, and nothing is moved', async () => {
    const of = await given(BIN)
    for (const said of ['verschieb erinnerung 4 auf 7 uhr', 'move the bank reminder to 5']) {
      await of.say(said)
      expect(of.heard()).toBe('There is none like that on the list.')
    }
    expect(open(of)).toEqual([[1, '2026-11-21T09:00']])
  })

  it('snoozed, a repetition keeps its rule', async () => {
    const of = await given('remind me every day at 13:00 to take my pills')
    await of.say('snooze the pills until sunday')
    expect(open(of)).toEqual([[1, '2026-11-22T13:00']])
    await of.say('snooze the pills for an hour')
    expect(of.heard()).toMatch(/^Put off: 1\. Sunday 22 November, 14:00, every day: take my pills$/)
    const [pills] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect(pills?.repeat).toMatchObject({ kind: 'daily', first: '2026-11-20 13:00' })
  })

  it('all are cancelled at once, and come back', async () => {
    const of = await given(BIN, PILLS)
    await of.say('lösch alle erinnerungen')
    expect(open(of)).toEqual([])
    await of.say('/undo')
    expect(open(of)).toHaveLength(2)
  })
})

describe('a number that was offered', () => {
  it('counts with another message between', async () => {
    const of = await came()
    await of.say('put milk on my list')
    of.clock.now += 1_000
    await of.say('2')
    expect(of.heard()).toMatch(/^Put off: 1\. .*check the oven$/)
  })

  it.each(['show me my list', 'send a mail to Bob saying hello'])(
    'counts no more where something else is numbered or asked: %s',
    async (between) => {
      const of = await came()
      await of.say('put milk on my list')
      of.clock.now += 1_000
      await of.say(between)
      of.clock.now += 1_000
      await of.say('1')
      expect(of.disk.store.reminderNumbered('principal:owner', 1)?.answered).toBeNull()
    },
  )

  it('counts no more where two stand open', async () => {
    const of = await given(
      'in 20 minutes remind me to check the oven',
      'in 21 minutes remind me to water the plants',
    )
    for (let times = 0; times < 2; times++) {
      of.clock.now = Number(of.disk.store.nextReminder())
      await of.shell.tick()
    }
    await of.say('put milk on my list')
    of.clock.now += 1_000
    await of.say('1')
    expect(of.disk.store.unanswered('principal:owner', 0)).toHaveLength(2)
  })
})
