/**
 * What is said of a job that is set, in several phrasings of both languages and without a model: one time left out, stopped, why it did not come,
 * another time right after it was shown (L-04, L-10).
 */
import { describe, expect, it } from 'vitest'
import { first, set, world } from './job-world.ts'
import type { World } from './world.ts'

async function briefing(at = 'every day at 8'): Promise<World> {
  const of = world({
    tools: {
      'calendar.list_events': () => ({ ok: true, output: { events: [], more: false } }),
      'email.list': () => ({ ok: true, output: { emails: [], more: false } }),
    },
  })
  await set(of, `start the morning briefing ${at}`)
  return of
}

describe('one time is left out', () => {
  it.each([
    'skip tomorrow',
    'skip the briefing tomorrow',
    "skip tomorrow's briefing",
    'no briefing tomorrow',
    'leave out tomorrow',
    'not tomorrow',
    "don't send it tomorrow",
    "I don't need the briefing tomorrow",
    'lass morgen aus',
    'lass das Briefing morgen ausfallen',
    'morgen kein Briefing',
    'überspring morgen',
    'morgen bitte nicht',
    'ich brauche das Briefing morgen nicht',
  ])('%s', async (said) => {
    const of = await briefing()
    await of.say(said)
    expect([first(of).skips, of.heard().split('\n')[0]]).toEqual(['2026-11-21', expect.any(String)])
  })
})

describe('it is stopped', () => {
  it.each([
    'stop the morning briefing',
    'stop the briefing',
    'no more briefing',
    "I don't want the briefing any more",
    'turn the briefing off',
    'stop sending me the briefing',
    'stopp das Briefing',
    'kein Briefing mehr',
    'ich brauche das Briefing nicht mehr',
    'schalt das Morgenbriefing aus',
    'schick mir das Briefing nicht mehr',
    'hör auf mit dem Briefing',
  ])('%s', async (said) => {
    const of = await briefing()
    await of.say(said)
    expect([first(of).state, of.heard().split('\n')[0]]).toEqual(['paused', expect.any(String)])
  })
})

describe('why it did not come is told', () => {
  it.each([
    'why did it not come today?',
    "why didn't the briefing come today?",
    'why was there no briefing today?',
    'where is my briefing?',
    "I didn't get my briefing today",
    'why no briefing today?',
    'warum kam es heute nicht?',
    'wieso kam das Briefing heute nicht?',
    'warum kam heute kein Briefing?',
    'wo bleibt mein Briefing?',
    'warum habe ich heute kein Briefing bekommen?',
    'weshalb gab es heute kein Briefing?',
  ])('%s', async (said) => {
    const of = await briefing()
    await of.say(said)
    expect(of.heard()).toMatch(/^1\. Morning briefing: every day at 08:00/)
    expect(of.heard()).toMatch(/It has not run yet/)
  })
})

describe('another time right after it was shown', () => {
  it.each([
    ['make it 7:30', '07:30'],
    ['an hour later', '09:00'],
    ['half an hour earlier please', '07:30'],
    ['7:30 instead', '07:30'],
    ['rather at 7', '07:00'],
    ['make that 9', '09:00'],
    ['mach es um 7', '07:00'],
    ['lieber um halb acht', '07:30'],
    ['eine Stunde später', '09:00'],
    ['mach 7:30 draus', '07:30'],
    ['doch lieber um 9 Uhr', '09:00'],
    ['eine halbe Stunde früher bitte', '07:30'],
  ])('%s', async (said, clock) => {
    const of = await briefing()
    await of.say('what runs when?')
    await of.say(said)
    expect([first(of).repeat.first.slice(11), of.heard().split('\n')[0]]).toEqual([clock, expect.any(String)])
  })
})

describe('its days are set', () => {
  it.each([
    ["mon, wed and fri at 7 tell me what's on", { first: '2026-11-23 07:00' }],
    [
      'on the last day of every month at 9 show me my tasks',
      { kind: 'month_end', first: '2026-11-30 09:00' },
    ],
    ['montags und donnerstags um 7 sag mir was ansteht', { first: '2026-11-23 07:00' }],
    ['am letzten Tag jedes Monats um 9 sag mir, was ansteht', { kind: 'month_end' }],
  ])('%s', async (said, repeat) => {
    const of = world({})
    await set(of, said)
    expect(first(of)).toMatchObject({ state: 'on', repeat })
  })
})

describe('of several jobs the one that was just set is stopped', () => {
  it.each(['stop that', 'stopp das', 'turn it off', "I don't need it any more", 'brauch ich nicht mehr'])(
    '%s',
    async (said) => {
      const of = await briefing()
      of.clock.now += 3_600_000
      await set(of, "every day at 19 tell me what's on tomorrow")
      await of.say(said)
      expect(of.disk.store.jobs().map(({ state }) => state)).toEqual(['on', 'paused'])
    },
  )
})
