/** Reminders of what was just set or booked, and several in one message: each has its own time and thing. What is of nothing before it sets none. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { decideFirst } from './asked-world.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const EVENT: ScriptedTool = ({ id }) => ({
  ok: true,
  output: {
    ...{ id: String(id), title: 'Walk', from: '2026-11-21T18:00:00+01:00', to: '2026-11-21T19:00:00+01:00' },
    ...{ allDay: false, attendees: 0, note: '' },
  },
})

const models = [createRulesModel({ place: 'home', home: HOME_RULES })]

/** Madrid, Friday 20 November 2026, 12:00. `yes`: the first card is approved. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({
    tools: { ...mailTools(), ...calendarTools(), 'calendar.read_event': EVENT },
    models,
  })
  for (const one of said) {
    await (one === 'yes' ? decideFirst(of, 'approve') : of.say(one))
    of.clock.now += 1_000
  }
  return of
}

const rows = ({ disk }: World) =>
  disk.store
    .openReminders('principal:owner', 'reminder')
    .map(({ due }) => new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16).replace('T', ' '))

describe('again, right after one was set', () => {
  const SET = 'remind me at 16:00 to call the plumber'
  it.each([
    ['and again tomorrow at 9', '2026-11-21 09:00'],
    ['again on sunday at 10', '2026-11-22 10:00'],
    ['the same on monday at 8', '2026-11-23 08:00'],
    ['and again tomorrow', '2026-11-21 16:00'],
    ['und nochmal am montag um 10', '2026-11-23 10:00'],
    ['und noch einmal um 20 uhr', '2026-11-20 20:00'],
    ['and tomorrow too', '2026-11-21 16:00'],
  ])('%s', async (said, due) => {
    const of = await given(SET, said)
    expect(rows(of)).toEqual(['2026-11-20 16:00', due])
    expect(of.heard()).toContain('call the plumber')
  })

  it('of nothing before it nothing is set', async () => {
    expect(rows(await given('what is on tomorrow', 'and again tomorrow at 9'))).toEqual([])
  })
})

describe('of what was just booked', () => {
  it.each([
    ['walk with mira tomorrow at 18:00', 'und erinner mich um halb 6 dran', '2026-11-21 17:30'],
    ['walk with mira tomorrow at 18:00', 'and remind me of it at 5:30', '2026-11-21 17:30'],
    ['walk with mira tomorrow at 9am', 'and remind me at 8', '2026-11-21 08:00'],
    ['walk with mira on monday at 18:00', 'remind me of it tomorrow at 10', '2026-11-21 10:00'],
  ])('%s; %s', async (booked, said, due) => {
    const of = await given(booked, 'yes', said, 'yes')
    expect(rows(of)).toEqual([due])
    expect(of.heard()).toContain('Walk')
  })

  it('what has a thing of its own is of that', async () => {
    const of = await given('walk with mira tomorrow at 18:00', 'yes', 'and remind me at 16:00 to buy milk')
    expect(of.heard()).toContain('buy milk')
    expect(rows(of)).toEqual(['2026-11-20 16:00'])
  })
})

describe('several in one message', () => {
  it.each([
    ['remind me tomorrow at 9 to call mum and at 11 to call dad', ['2026-11-21 09:00', '2026-11-21 11:00']],
    ['remind me tomorrow at 10 to call mum and at 9 to call dad', ['2026-11-21 09:00', '2026-11-21 10:00']],
    [
      'remind me tomorrow at 9 to call mum, at 11 to call dad and on monday at 10 to pay the rent',
      ['2026-11-21 09:00', '2026-11-21 11:00', '2026-11-23 10:00'],
    ],
    [
      'erinner mich morgen um 10 an den tüv und übermorgen um 11 an den arzt',
      ['2026-11-21 10:00', '2026-11-22 11:00'],
    ],
    ['erinner mich morgen um 9 an tüv und um 11 an arzt', ['2026-11-21 09:00', '2026-11-21 11:00']],
  ])('%s', async (said, due) => {
    const of = await given(said)
    expect(rows(of)).toEqual(due)
    expect(of.heard()).not.toMatch(/ (?:and|und) /)
  })

  it.each([
    'remind me tomorrow at 9 to call mum and book lunch with tom at 11',
    'remind me tomorrow at 9 to call mum and tell dad at 11 to come',
    'remind me every day at 9 to call mum and at 11 to call dad',
  ])('%s: not two of them', async (said) => {
    expect(rows(await given(said)).length).toBeLessThan(2)
  })
})
