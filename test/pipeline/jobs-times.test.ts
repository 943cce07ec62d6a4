/**
 * Other times for a job that is set, said without a model (DESIGN §9): later and rarer at once, with undo; oftener by a card; cron strings; what is left out;
 * and why it did not come.
 */
import { describe, expect, it } from 'vitest'
import { whenWords } from '../../kernel/features/jobs/shown.ts'
import { first, mail, set, world } from './job-world.ts'
import type { World } from './world.ts'

const full = (): World =>
  world({
    tools: {
      'email.list': () => ({ ok: true, output: { emails: [mail('m1')], more: false } }),
      'calendar.list_events': () => ({ ok: true, output: { events: [], more: false } }),
    },
  })
const when = (of: World) => whenWords(first(of).repeat)
const due = (of: World) => new Date(Number(first(of).due)).toISOString().slice(0, 16)
/** It is talked about, then said. */
async function say(said: string, request = 'start the morning briefing at 7'): Promise<World> {
  const of = full()
  await set(of, request)
  await of.say('what runs when?')
  await of.say(said)
  await of.shell.tick()
  return of
}

/** Said on Friday at noon in Madrid. */
describe('of several times of a day', () => {
  it.each([
    ['every 2 hours between 8 and 20', '2026-11-20T13:00'],
    ['every day at 8, 14 and 20', '2026-11-20T13:00'],
    ['every hour between 9 and 17 on weekdays', '2026-11-20T12:00'],
    ['every friday at 8, 14 and 20', '2026-11-20T13:00'],
    ['every monday at 8, 14 and 20', '2026-11-23T07:00'],
    ['every day at 8 and 10', '2026-11-21T07:00'],
    ['every day from tomorrow at 8, 14 and 20', '2026-11-21T07:00'],
    ['jeden Tag um 8, 14 und 20 Uhr', '2026-11-20T13:00'],
  ])('those that are still to come today count: %s', async (times, at) => {
    const of = full()
    await set(of, `${times} tell me my unread mail`)
    expect(due(of)).toBe(at)
  })
})

describe('at once', () => {
  it.each([
    ['make that 7:30', 'every weekday at 07:30'],
    ['move the briefing to 8', 'every weekday at 08:00'],
    ['the briefing should come at 9', 'every weekday at 09:00'],
    ['briefing at 6:30 please', 'every weekday at 06:30'],
    ['7:45 instead', 'every weekday at 07:45'],
    ['from now on at 8', 'every weekday at 08:00'],
    ['make the briefing an hour later', 'every weekday at 08:00'],
    ['push the briefing back by an hour', 'every weekday at 08:00'],
    ['half an hour earlier please', 'every weekday at 06:30'],
    ['only mondays and thursdays', 'every Monday and Thursday at 07:00'],
    ['i only want the briefing on tuesdays', 'every Tuesday at 07:00'],
    ['not on fridays', 'every Monday, Tuesday, Wednesday and Thursday at 07:00'],
    ['no briefing on mondays', 'every Tuesday, Wednesday, Thursday and Friday at 07:00'],
    ['change the briefing to every monday at 9', 'every Monday at 09:00'],
    ['make the briefing weekly', 'every Monday at 07:00'],
    ['make the briefing cron 15 6 * * 1,3', 'every Monday and Wednesday at 06:15'],
    ['/jobtime job 1 0 9 * * 1', 'every Monday at 09:00'],
  ])('%s', async (said, words) => {
    const of = await say(said)
    expect(when(of)).toBe(words)
    expect(of.heard()).toMatch(/^Moved: 1\. Morning briefing/)
    await of.say('/undo')
    expect([when(of), due(of)]).toEqual(['every weekday at 07:00', '2026-11-23T06:00'])
    await of.say('/undo')
    expect(when(of)).toBe(words)
  })

  it.each([
    ['only on weekdays', 'start the morning briefing every day at 7', 'every weekday at 07:00'],
    ['not at weekends', 'start the morning briefing every day at 7', 'every weekday at 07:00'],
    ['make the email check hourly', 'check my mail every 15 minutes', 'every hour'],
    [
      'make the email check every two hours between 8 and 18 on weekdays',
      'check my mail every 15 minutes',
      'every weekday, every 2 hours from 08:00 to 18:00',
    ],
  ])('%s, of "%s"', async (said, request, words) => {
    expect(when(await say(said, request))).toBe(words)
  })
})

describe('what would come more often', () => {
  it.each([
    ['make it daily', 'every day at 07:00'],
    ['every day instead', 'every day at 07:00'],
    ['add saturdays', 'every Monday, Tuesday, Wednesday, Thursday, Friday and Saturday at 07:00'],
    ['make it every two hours', 'every 2 hours'],
    ['make the briefing cron 0 7,12 * * 1-5', 'every weekday at 07:00, 12:00'],
  ])('is asked first: %s', async (said, words) => {
    const of = await say(said)
    expect(when(of)).toBe('every weekday at 07:00')
    const card = of.sent.findLast(({ kind }) => kind === 'card')?.text
    expect(card).toContain(`Until now: every weekday at 07:00\nFrom now on: ${words} (Europe/Madrid)`)
    of.clock.now += 1_000
    await of.say('yes')
    expect([when(of), first(of).state]).toEqual([words, 'on'])
    const [before, digest] = [first(of).before, first(of).digest]
    expect(before?.repeat.kind).toBe('weekdays')
    await of.shell.tick()
    of.clock.now = Number(first(of).due)
    await of.shell.tick()
    // What was approved is what runs.
    expect([of.disk.store.runsOf(first(of).id, 1)[0]?.outcome, first(of).digest]).toEqual(['told', digest])
  })

  it('a no leaves it, and so does a row that is no longer the one on the card', async () => {
    const no = await say('make it daily')
    no.clock.now += 1_000
    await no.say('no')
    expect(when(no)).toBe('every weekday at 07:00')
    const other = await say('make it daily')
    other.disk.store.saveJob({ ...first(other), missed: 'skip' })
    other.clock.now += 1_000
    await other.say('yes')
    expect(when(other)).toBe('every weekday at 07:00')
  })
})

describe('a cron string', () => {
  it.each([
    ['start the morning briefing, cron 0 8 * * 1-5', 'every weekday at 08:00'],
    ['/job morning briefing 30 7 * * *', 'every day at 07:30'],
    ['cron 0 8 31 * *: tell me what mail is unread', 'by the cron string "0 8 31 * *"'],
    ['check my mail cron */30 8-18 * * 1-5', 'every weekday, every 30 minutes from 08:00 to 18:30'],
  ])('sets one: %s', async (said, words) => {
    const of = full()
    await set(of, said)
    expect(when(of)).toBe(words)
  })

  it.each([
    ['start the morning briefing, cron */5 * * * *', /too often/],
    ['start the morning briefing, cron 0,10 8 * * *', /too often/],
    ['start the morning briefing, cron 0 25 * * *', /did not understand when/],
    ['start the morning briefing, cron 0 8 30 2 *', /did not understand when/],
  ])('is refused with a reason: %s', async (said, words) => {
    const of = full()
    await of.say(said)
    await of.shell.tick()
    expect(of.heard()).toMatch(words)
    expect(of.disk.store.jobs()).toEqual([])
  })

  it('five numbers are none', async () => {
    const of = full()
    await of.say('my numbers are 0 8 1 2 3')
    expect(of.disk.store.jobs()).toEqual([])
  })
})

describe('is left unchanged by', () => {
  it.each([
    ['make the email check 7:30', 'check my mail every 15 minutes', 'every 15 minutes'],
    ['make the email check cron */10 * * * *', 'check my mail every 15 minutes', 'every 15 minutes'],
    ['not on weekdays', 'start the morning briefing at 7', 'every weekday at 07:00'],
    ['half a day later', 'start the morning briefing at 7', 'every weekday at 07:00'],
    ['20 hours later', 'start the morning briefing at 7', 'every weekday at 07:00'],
  ])('%s', async (said, request, words) => {
    expect(when(await say(said, request))).toBe(words)
  })
})

describe('what is left out', () => {
  it.each([
    ['skip it on monday', '2026-11-23', '2026-11-24T06:00'],
    ["don't send the briefing on monday", '2026-11-23', '2026-11-24T06:00'],
    ['not on monday please', '2026-11-23', '2026-11-24T06:00'],
    ['skip the next one', '2026-11-23', '2026-11-24T06:00'],
    ['no briefing next week', '2026-11-23/2026-11-29', '2026-11-30T06:00'],
  ])('%s', async (said, skips, next) => {
    const of = await say(said)
    expect(first(of).skips).toBe(skips)
    of.clock.now = Number(first(of).due)
    await of.shell.tick()
    expect([due(of), first(of).skips]).toEqual([next, null])
    expect(of.disk.store.runsOf(first(of).id, 9).map(({ code }) => code)).toEqual(['job_skipped'])
  })

  it("skip tomorrow's briefing", async () => {
    const of = await say("skip tomorrow's briefing", 'start the morning briefing every day at 7')
    expect(first(of).skips).toBe('2026-11-21')
  })
})

describe('what became of it', () => {
  it.each([
    ['why did it not come?'],
    ["why didn't the briefing come this morning?"],
    ['where is my briefing?'],
    ['where was the briefing this morning?'],
    ['my briefing did not come'],
    ["i didn't get the briefing today"],
    ['no briefing today?'],
    ['did the briefing run today?'],
    ['what happened to the briefing?'],
    ['when does the briefing come?'],
    ['when is the next briefing?'],
  ])('%s', async (said) => {
    const of = await say(said)
    expect(of.heard()).toMatch(
      /^1\. Morning briefing: .* Next: Monday 23 November, 07:00\.\nIt has not run yet/,
    )
  })
})

describe('what others wrote', () => {
  it.each([
    ['make the morning briefing cron */15 * * * *'],
    ['from now on at 3'],
    ['only on sundays'],
    ['no briefing next week'],
  ])('changes no job, quoted right after it was talked about: %s', async (quoted) => {
    const of = full()
    await set(of, 'start the morning briefing at 7')
    await of.say('what runs when?')
    const before = first(of)
    await of.say('what is this?', 'q1', [quoted])
    await of.say('yes')
    expect(first(of)).toEqual(before)
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })
})
