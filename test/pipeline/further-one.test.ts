/**
 * One more reminder right after one was set, by a time and what is to be done; a reminder of "it"; and the end of all of
 * them.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const models = [createRulesModel({ place: 'home', home: HOME_RULES })]

/** Madrid, Friday 20 November 2026, 22:25. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models })
  of.clock.now = Date.parse('2026-11-20T21:25:00Z')
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const rows = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')
const at = (due: number | null) =>
  new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
const BINS = 'remind me at 11pm to put the bins out'
const MUELL = 'erinnere mich um 23 uhr an den müll'

describe('one more', () => {
  it.each([
    [BINS, 'and at half past 11 to lock the back door', '2026-11-20 23:30', 'lock the back door'],
    [BINS, 'and tomorrow at 7 pe kit for ben', '2026-11-21 07:00', 'pe kit for ben'],
    [BINS, 'and at 11:45 to feed the cat', '2026-11-20 23:45', 'feed the cat'],
    [BINS, 'also on sunday at 10 about the cake', '2026-11-22 10:00', 'the cake'],
    [BINS, 'and in 20 minutes check the oven', '2026-11-20 22:45', 'check the oven'],
    [MUELL, 'und um 7 morgen früh an die brotdosen', '2026-11-21 07:00', 'die brotdosen'],
    [MUELL, 'und morgen um 9 die blumen', '2026-11-21 09:00', 'die blumen'],
    [MUELL, 'und um halb zwölf an die hintertür', '2026-11-20 23:30', 'die hintertür'],
  ])('%s; %s', async (set, said, due, text) => {
    const of = await given(set, said)
    expect(rows(of).map((row) => at(row.due))).toContain(due)
    expect(of.heard()).toContain(text)
    expect(of.disk.store.pendingApprovals('principal:owner')).toEqual([])
  })

  it.each([
    [BINS, 'and tomorrow?'],
    [BINS, 'and at 11:30 too'],
    [BINS, 'and what is on at 11?'],
    [BINS, 'and tomorrow at 9 book lunch with tom'],
    [BINS, 'and thanks'],
  ])('is none of another thing: %s; %s', async (set, said) => {
    const of = await given(set, said)
    const text = rows(of).length > 1 ? of.heard() : ''
    expect(text).not.toMatch(/> (?!put the bins out)/)
  })

  it('is none after events were shown', async () => {
    const of = await given(BINS, "what's on friday?", 'and tomorrow at 7 pe kit for ben')
    expect(rows(of)).toHaveLength(1)
  })
})

describe('of what the message puts on the list', () => {
  it.each([
    ['add ring the plumber to my list and remind me at 6pm tomorrow to do it', 'ring the plumber'],
    ['put milk on my list and remind me tomorrow at 9 to buy it', 'buy milk'],
    ['setz eier auf die liste und erinnere mich morgen um 9 daran sie zu kaufen', 'eier kaufen'],
  ])('%s', async (said, text) => {
    const of = await given(said)
    expect(of.heard()).toMatch(new RegExp(`> ${text}$`, 'im'))
    await of.say('what reminders do i have?')
    expect(of.heard()).toMatch(new RegExp(`: ${text}$`, 'i'))
  })

  it.each(['remind me tomorrow at 9 to do it'])('alone it stays as typed: %s', async (said) => {
    const of = await given(said)
    await of.say('what reminders do i have?')
    expect(of.heard()).toMatch(/: do it$/)
  })
})

it.each([
  'stopp alle erinnerungen',
  'stop all my reminders',
  'cancel all reminders',
  'lösch alle meine erinnerungen',
])('all of them, and all come back: %s', async (said) => {
  const of = await given(BINS, MUELL, said)
  expect(rows(of)).toEqual([])
  await of.say('/undo')
  expect(rows(of)).toHaveLength(2)
})
