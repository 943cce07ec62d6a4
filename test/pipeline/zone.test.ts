/**
 * Times that follow the owner (DESIGN §9): where they say that they are, until when, and what comes by which clocks; over both changes of the clocks;
 * and what does not follow.
 */
import { describe, expect, it } from 'vitest'
import { saysClock } from '../../kernel/features/reminders/life.ts'
import { zoneOf } from '../../kernel/features/zone/places.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { at, first, set, world } from './job-world.ts'
import type { World, WorldOptions } from './world.ts'

const texts = ({ sent }: World) => sent.map(({ text }) => text)
const last = (of: World) => texts(of).at(-1) ?? ''
const reminded = (of: World) => texts(of).filter((text) => text.startsWith('Reminder'))
const iso = (moment: number | null | undefined) => new Date(moment ?? 0).toISOString().slice(0, 16)
const EMPTY: WorldOptions = {
  tools: {
    'email.list': () => ({ ok: true, output: { emails: [], more: false } }),
    'calendar.list_events': () => ({ ok: true, output: { events: [], more: false } }),
    'twitter.user_tweets': () => ({ ok: true, output: { tweets: [], more: false } }),
  },
}
const due = (of: World) =>
  of.disk.store
    .openReminders(OWNER_PRINCIPAL, 'reminder')
    .toSorted((a, b) => a.number - b.number)
    .map((one) => iso(one.due))

async function says(of: World, ...said: readonly string[]): Promise<void> {
  for (const text of said) {
    await of.say(text)
    await of.shell.tick()
    of.clock.now += 1_000
  }
}

describe('where the owner is', () => {
  it.each([
    ["I'm in Tokyo this week", /Asia\/Tokyo now: .*\nThat holds until Monday 23 November, 00:00/],
    [
      'I am in New York until Thursday',
      /America\/New_York now: .*\nThat holds until Friday 27 November, 00:00/,
    ],
    ["I'm in San Francisco for 3 days", /America\/Los_Angeles.*\nThat holds until Monday 23 November, 00:00/],
    ["I'm in Lisbon", /Europe\/Lisbon now: it is Friday 20 November, 11:00 there\.\nWhat was set/],
    ['Ich bin diese Woche in Tokio', /Asia\/Tokyo now: .*\nThat holds until Monday 23 November, 00:00/],
    ['ich bin bis Donnerstag in London', /Europe\/London.*\nThat holds until Friday 27 November, 00:00/],
    ['/zone Asia/Tokyo', /Asia\/Tokyo now/],
    ['/zone San Francisco until thursday', /America\/Los_Angeles now/],
    ['/zone Atlantis', /do not know the time zone/],
    ['/zone Tokyo until the cows come home', /did not understand until when/],
    ['I am back home', /Europe\/Madrid now/],
    ['ich bin wieder zu Hause', /Europe\/Madrid now/],
  ])('%s', async (said, answer) => {
    const of = world(EMPTY)
    await says(of, said)
    expect(last(of)).toMatch(answer)
  })

  it.each(["I'm in a hurry", "I'm in trouble this week", 'ich bin in Eile', "I'm in Paris next week"])(
    '%s: changes nothing',
    async (said) => {
      const of = world(EMPTY)
      await says(of, said)
      expect(of.disk.store.setting('zone')).toBeNull()
    },
  )

  it('places are known in both languages, and none is guessed', () => {
    expect(['Munich', 'München', 'the UK', 'Buenos Aires', 'Hurry'].map(zoneOf)).toEqual([
      ...['Europe/Berlin', 'Europe/Berlin', 'Europe/London', 'America/Buenos_Aires', null],
    ])
  })
})

describe('what follows', () => {
  it('jobs and reminders by the clock, there and back; a length of time does not', async () => {
    const of = world(EMPTY)
    await set(of, 'start the morning briefing every day at 8')
    await says(
      of,
      'remind me tomorrow at 9 to call mum',
      'remind me in 3 hours to stretch',
      'every day at 7 remind me to run',
    )
    expect(due(of)).toEqual(['2026-11-21T08:00', '2026-11-20T14:00', '2026-11-21T06:00'])
    await says(of, "I'm in New York until Saturday")
    expect(last(of)).toContain('1 of your jobs, 2 of your reminders')
    expect(iso(first(of).due)).toBe('2026-11-21T13:00')
    expect(due(of)).toEqual(['2026-11-21T14:00', '2026-11-20T14:00', '2026-11-21T12:00'])
    await at(of, Date.parse('2026-11-20T14:01:00Z'))
    expect(reminded(of).some((text) => text.includes('stretch'))).toBe(true)
    await says(of, "I'm back home")
    expect(iso(first(of).due)).toBe('2026-11-21T07:00')
    expect(due(of)).toEqual(['2026-11-21T08:00', '2026-11-21T06:00'])
  })

  it('the day that was named ends it, and the place wakes for it', async () => {
    const of = world(EMPTY)
    await set(of, 'start the morning briefing every day at 8')
    await says(of, "I'm in Tokyo today")
    expect(iso(first(of).due)).toBe('2026-11-20T23:00')
    const end = Date.parse('2026-11-20T15:00:00Z')
    expect(await of.shell.tick()).toBeLessThanOrEqual(end)
    await at(of, end)
    expect(iso(first(of).due)).toBe('2026-11-21T07:00')
  })

  it('a job that its file pins stays, and so does a reminder that was put off by an hour', async () => {
    const of = world(EMPTY)
    await set(of, 'start the twitter digest of @nasa')
    const before = first(of).due
    await says(of, 'remind me at 13:00 to call mum')
    await at(of, Date.parse('2026-11-20T12:00:00Z'))
    await says(of, 'in an hour')
    const [later] = due(of)
    await says(of, "I'm in Tokyo this week")
    expect(first(of).due).toBe(before)
    expect(due(of)).toEqual([later])
  })

  it.each([
    ['remind me 30 minutes before the dentist', false],
    ['erinner mich eine Stunde vor dem Zahnarzt', false],
    ['book lunch with Tom on Friday at 1 and remind me a day before', false],
    ['remind me in an hour to stretch', false],
    ['remind me tomorrow at 9 to call mum before work', true],
    ['erinner mich morgen um 9 vor der Arbeit', true],
  ])('%s: follows %s', (text, follows) => {
    expect(saysClock(text, false)).toBe(follows)
  })

  it('what is taken back follows back', async () => {
    const of = world(EMPTY)
    await says(of, 'remind me tomorrow at 9 to call mum', "I'm in Tokyo this week")
    expect(due(of)).toEqual(['2026-11-21T00:00'])
    await says(of, '/undo')
    expect(due(of)).toEqual(['2026-11-21T08:00'])
    await says(of, "I'm in Tokyo this week", "I'm back home", '/undo')
    expect(due(of)).toEqual(['2026-11-21T00:00'])
  })

  it('what is set there is by the clocks there, and follows home', async () => {
    const of = world(EMPTY)
    await says(of, "I'm in Tokyo this week", 'remind me tomorrow at 9 to call mum')
    expect(due(of)).toEqual(['2026-11-21T00:00'])
    await says(of, "I'm back home")
    expect(due(of)).toEqual(['2026-11-21T08:00'])
  })

  // New York leaves summer time a week after Madrid, and takes it up two weeks before.
  it.each([
    ['2026-10-24T10:00:00Z', '2026-10-25T12:00', '2026-10-25T07:00'],
    ['2026-10-31T10:00:00Z', '2026-11-01T13:00', '2026-11-01T07:00'],
    ['2027-03-13T10:00:00Z', '2027-03-14T12:00', '2027-03-14T07:00'],
    ['2027-03-27T10:00:00Z', '2027-03-28T12:00', '2027-03-28T06:00'],
  ])('over the change of the clocks after %s', async (now, there, home) => {
    const of = world(EMPTY)
    of.clock.now = Date.parse(now)
    await set(of, 'start the morning briefing every day at 8')
    await says(of, 'remind me tomorrow at 8 to call mum')
    await at(of, Date.parse(now) + 12 * 3_600_000)
    await says(of, "I'm in New York this week")
    const stay = [iso(first(of).due), due(of)[0]]
    expect(stay).toEqual([there, there])
    await says(of, "I'm back home")
    expect([iso(first(of).due), due(of)[0]]).toEqual([home, home])
  })
})
