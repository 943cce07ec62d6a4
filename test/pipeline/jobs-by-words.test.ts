/**
 * Jobs by what people say of them: a wish in any order of its words puts a card, and what is said of one that runs does that and nothing else.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const started = () => createWorld({ tools: { ...mailTools(), ...calendarTools() } })

async function say(of: World, ...said: readonly string[]): Promise<World> {
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const cards = ({ disk }: World) => disk.store.pendingApprovals('principal:owner')

async function briefing(): Promise<World> {
  const of = await say(started(), 'starte das Morgenbriefing')
  for (const { approval } of cards(of)) await of.say(`/approve ${approval.id}`)
  of.clock.now += 1_000
  return of
}

const job = ({ disk }: World) => disk.store.jobs().find(({ state }) => state !== 'asked')

describe('a wish that comes again', () => {
  it.each([
    [
      'Ich möchte jeden Werktag um sieben einen kurzen Überblick, was an dem Tag ansteht und welche Mails ungelesen sind',
      'weekdays',
      '07:00',
      2,
    ],
    [
      "at 7 on weekdays I'd like to hear what's on my calendar and what mail is unread",
      'weekdays',
      '07:00',
      2,
    ],
    ['give me a summary of my day every weekday at 7', 'weekdays', '07:00', 1],
    ['kannst du mir jeden Montag um 8 sagen, was diese Woche ansteht', 'weekly', '08:00', 1],
    ['was ist heute los, jeden Morgen um 7', 'daily', '07:00', 1],
    ["I want to know every evening what's on tomorrow", 'daily', '18:00', 1],
    [
      "what's on and which mails are unread, tell me that every weekday at half past seven",
      'weekdays',
      '07:30',
      2,
    ],
  ])('%s', async (said, kind, time, reads) => {
    const of = await say(started(), said)
    const [asked, ...others] = of.disk.store.jobs()
    expect(others).toEqual([])
    expect([asked?.state, asked?.repeat.kind, asked?.repeat.first.slice(11)]).toEqual(['asked', kind, time])
    expect(asked?.frozen.plan.steps).toHaveLength(reads)
    expect(cards(of)).toHaveLength(1)
  })

  it.each([
    'every monday at 9 tell Tom to send the report',
    'book yoga every Tuesday at 7pm',
    'remind me every weekday at 7 to look at my mails',
  ])('%s: is no such wish', async (said) => {
    const of = await say(started(), said)
    expect(of.disk.store.jobs()).toEqual([])
  })
})

describe('a job that runs', () => {
  it.each([
    'briefing now',
    'run the morning briefing',
    'zeig mir das Briefing jetzt',
    'Morgenüberblick sofort bitte',
  ])('%s: comes once more, at once', async (said) => {
    const of = await briefing()
    const before = of.sent.length
    await say(of, said)
    expect(of.heard()).toMatch(/runs now|Morning briefing|Standup/)
    await of.shell.tick()
    expect(
      of.sent
        .slice(before)
        .some(({ text }) => text.includes('Morning briefing') && !text.includes('runs now')),
    ).toBe(true)
    expect(job(of)?.state).toBe('on')
    expect(job(of)?.due).toBeGreaterThan(of.clock.now)
  })

  it('does not run while it is stopped', async () => {
    const of = await say(await briefing(), 'pause the briefing', 'run the briefing now')
    expect(of.heard()).toMatch(/Stopped; \/resumejob 1 goes on\.$/)
    expect(job(of)?.due).toBeNull()
  })

  it.each([
    ['dont do that on thursdays', 0b1110111],
    ['donnerstags nicht', 0b1110111],
    ['bitte nicht am Wochenende', 0b0011111],
    ['mach das freitags nicht mehr', 0b1101111],
  ])('%s', async (said, kept) => {
    const of = await say(await briefing(), 'make the briefing come every day', 'jobs')
    for (const { approval } of cards(of)) await of.say(`/approve ${approval.id}`)
    await say(of, 'jobs', said)
    const { kind, every } = job(of)?.repeat ?? {}
    expect([kind === 'weekdays' ? 0b0011111 : every, kind]).toEqual([
      kept,
      kept === 0b0011111 ? 'weekdays' : 'on_days',
    ])
  })

  it.each(['make the briefing at 8 on weekends', 'mach das Briefing am Wochenende um 8'])(
    '%s: comes on those days as well, once a card is agreed to',
    async (said) => {
      const of = await say(await briefing(), said)
      expect(job(of)?.repeat.kind).toBe('weekdays')
      for (const { approval } of cards(of)) await of.say(`/approve ${approval.id}`)
      expect(job(of)?.repeat.kind).toBe('daily')
    },
  )

  it('has one time for all of its days', async () => {
    const of = await say(await briefing(), 'make the briefing at 9 on weekends')
    expect([cards(of), job(of)?.repeat.kind, job(of)?.repeat.first.slice(11)]).toEqual([
      [],
      'weekdays',
      '08:00',
    ])
  })

  it.each([
    'stell die Routine wieder ab',
    'mach das briefing aus',
    'stop everything that runs by itself',
    'stoppe alles, was von selbst läuft',
  ])('%s: stops, and /undo has it go on', async (said) => {
    const of = await say(await briefing(), said)
    expect([job(of)?.state, job(of)?.why]).toEqual(['paused', 'owner'])
    await say(of, '/undo')
    expect(job(of)?.state).toBe('on')
  })

  it('goes on by German words', async () => {
    const of = await say(await briefing(), 'stell das Briefing ab', 'mach das Briefing wieder an')
    expect(job(of)?.state).toBe('on')
  })

  it.each([
    'was läuft von selbst?',
    'zeig mir, was regelmäßig läuft',
    'what runs by itself?',
    'welche Routinen laufen gerade',
  ])('%s: lists what runs, and apart from it what could', async (said) => {
    const of = await say(await briefing(), said)
    expect(of.heard()).toMatch(/^1\. Morning briefing: .*\n\nCould be switched on, by "start the /s)
  })
})
