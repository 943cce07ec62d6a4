/** What is said of a reminder by its name, that is not called one: it is stopped, comes on other days, or was done today. What may be something else stays as it is. */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

/** Madrid, Friday 20 November 2026, 12:00. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const rows = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')
const at = (due: number | null) =>
  new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
const PILLS = 'every morning at 8 remind me to take my pills'
const TABLETTEN = 'erinnere mich jeden tag um 8 an die tabletten'

describe('stopped', () => {
  it.each([
    [PILLS, 'stop the pills'],
    [PILLS, 'turn off the pills thing'],
    [PILLS, 'no more pills'],
    [PILLS, "the pills are done, don't remind me any more"],
    [PILLS, "i don't need the pills any more, cancel the reminder"],
    [TABLETTEN, 'stopp die tabletten'],
    [TABLETTEN, 'die tabletten sind fertig, erinner mich nicht mehr dran'],
    [TABLETTEN, 'die tabletten brauch ich doch nicht, lösch die erinnerung'],
  ])('%s; %s', async (set, said) => {
    const of = await given(set, said)
    expect(rows(of)).toEqual([])
    await of.say('/undo')
    expect(rows(of)).toHaveLength(1)
  })

  it.each([
    'stop the plumber',
    'stop it all',
    "don't stop the pills",
    'the pharmacy stopped selling the pills',
  ])('%s: nothing is stopped', async (said) => {
    const of = await given(PILLS, 'what is on tomorrow', said)
    expect(rows(of)).toHaveLength(1)
  })
})

describe('on other days', () => {
  it.each([
    [PILLS, 'make the pills weekdays only', 'weekdays', 1, '2026-11-23 08:00'],
    [PILLS, 'pills: make that weekdays only', 'weekdays', 1, '2026-11-23 08:00'],
    [PILLS, 'the pills only on mondays and thursdays', 'on_days', 9, '2026-11-23 08:00'],
    [PILLS, 'change the pills to every day at 9', 'daily', 1, '2026-11-21 09:00'],
    [PILLS, 'make that weekdays only', 'weekdays', 1, '2026-11-23 08:00'],
    [PILLS, 'move the pills reminder to every friday', 'weekly', 1, '2026-11-27 08:00'],
    [TABLETTEN, 'mach die tabletten nur werktags', 'weekdays', 1, '2026-11-23 08:00'],
    [TABLETTEN, 'die tabletten nur noch jeden montag', 'weekly', 1, '2026-11-23 08:00'],
    [
      'remind me monday at 9 to call the plumber',
      'move the plumber reminder to every weekday',
      'weekdays',
      1,
      '2026-11-23 09:00',
    ],
  ])('%s; %s', async (set, said, kind, every, due) => {
    const of = await given(set, said)
    expect(rows(of)).toMatchObject([{ repeat: { kind, every } }])
    expect(at(rows(of)[0]?.due ?? 0)).toBe(due)
    expect(of.heard()).toMatch(/^Moved: /)
    await of.say('/undo')
    expect(rows(of)[0]?.repeat?.kind ?? 'none').toBe(set.includes('plumber') ? 'none' : 'daily')
  })

  it('a repetition that two may be meant by changes nothing', async () => {
    const of = await given(PILLS, 'make the pills every second friday')
    expect(rows(of)).toMatchObject([{ repeat: { kind: 'daily' } }])
  })
})

describe('done today', () => {
  const TONIGHT = 'every evening at 8pm remind me to take my pills'
  it.each([
    [TONIGHT, 'i took the pills'],
    [TONIGHT, "I've taken my pills already"],
    [TONIGHT, 'skip the pills today'],
    ['erinnere mich jeden abend um 20 uhr an die tabletten', 'hab die tabletten genommen'],
    ['erinnere mich jeden abend um 20 uhr an die blumen', 'ich habe die blumen schon gegossen'],
  ])('%s; %s', async (set, said) => {
    const of = await given(set, said)
    expect(rows(of).map(({ due, repeat }) => [at(due), repeat?.kind])).toEqual([
      ['2026-11-21 20:00', 'daily'],
    ])
  })

  it('one that came is answered, and comes again', async () => {
    const of = await given(TONIGHT)
    of.clock.now += 9 * 3_600_000
    await of.shell.tick()
    await of.say('i took the pills')
    expect(rows(of)).toMatchObject([{ answered: 'done' }])
  })

  it.each([
    ['remind me at 16:00 to stretch', 'i stretched'],
    ['remind me at 16:00 to pay the rent', 'paid the rent'],
    ['remind me at 16:00 to pay the rent', 'we paid the rent'],
    ['erinnere mich um 16 uhr an die wäsche', 'hab die wäsche aufgehängt'],
    ['erinnere mich um 16 uhr an den herd', 'herd ist aus'],
  ])('what waits for its one time is ended: %s; %s', async (set, said) => {
    expect(rows(await given(set, said))).toEqual([])
  })

  it.each([
    [PILLS, 'i took the pills'],
    [PILLS, 'i hated the pills'],
    [PILLS, 'tom took the pills'],
    ['remind me at 16:00 to call the plumber', 'i called'],
    ['remind me at 16:00 to call the plumber', 'i paid the plumber'],
  ])('nothing is changed: %s; %s', async (set, said) => {
    const of = await given(set)
    const before = rows(of)
    await of.say(said)
    expect(rows(of)).toEqual(before)
  })
})
