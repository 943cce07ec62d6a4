/**
 * Jobs, said and heard without a model (DESIGN §9, G-01 – G-07): what is set by a card, that each time runs once, what was missed, overlaps,
 * failures, the frozen plan, and what is said of it.
 */
import { describe, expect, it } from 'vitest'
import {
  createWorld,
  FRIDAY_NOON,
  message,
  type ScriptedTool,
  type World,
  type WorldOptions,
} from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** 08:00 in Madrid, three days after the world begins. */
const MONDAY_8 = Date.parse('2026-11-23T07:00:00Z')

const EVENT = {
  ...{ id: 'e1', title: 'Stand-up', from: '2026-11-23T09:00:00+01:00', to: '2026-11-23T09:30:00+01:00' },
  ...{ allDay: false, attendees: 0 },
}
const MAIL = {
  ...{ id: 'm1', from: 'sarah@example.com', fromName: 'Sarah', subject: 'Budget', unread: true },
  ...{ date: '2026-11-23T06:00:00Z', hasAttachments: false, snippet: 'Two numbers' },
}
const gives =
  (output: unknown): ScriptedTool =>
  () => ({ ok: true, output })
const fails: ScriptedTool = () => ({ ok: false, reason: { code: 'remote_unavailable', facts: {} } })
const FULL = {
  'calendar.list_events': gives({ events: [EVENT], more: false }),
  'email.list': gives({ emails: [MAIL], more: false }),
}
const EMPTY = {
  'calendar.list_events': gives({ events: [], more: false }),
  'email.list': gives({ emails: [], more: false }),
}
const DOWN = { 'calendar.list_events': fails, 'email.list': fails }

const world = (options: WorldOptions = {}) => createWorld({ tools: FULL, pushes: true, ...options })
const first = ({ disk: { store } }: World) => {
  const [job] = store.jobs()
  if (job === undefined) throw new Error('no job')
  return job
}
const runs = (of: World) => of.disk.store.runsOf(first(of).id, 50).toReversed()
const outcomes = (of: World) => runs(of).map(({ outcome }) => outcome)
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16))
const cards = ({ sent }: World) => sent.filter(({ kind }) => kind === 'card').map(({ text }) => text)
/** What jobs have told. */
const told = ({ sent, disk: { store } }: World) =>
  sent
    .filter(({ task }) => task !== null && store.loadTask(task)?.principal.startsWith('principal:cron:'))
    .map(({ text }) => text)

async function at(of: World, moment: number): Promise<void> {
  of.clock.now = moment
  await of.shell.tick()
}

/** Says it, and yes to the card. */
async function set(of: World, said = 'start the morning briefing'): Promise<void> {
  await of.say(said)
  await of.shell.tick()
  of.clock.now += 1_000
  await of.say('yes')
}

/** The world after a crash, with its disk. */
const restarted = (before: World, options: WorldOptions = {}) => world({ disk: before.disk, ...options })

describe('in the chat where it is asked for', () => {
  const PHONE = 'sink:telegram:private'
  const chats = { adminSinks: ['sink:terminal:owner', PHONE], owner: ['telegram:1001'] }
  const sayThere = async (of: World, text: string): Promise<void> => {
    const source = { adapter: 'telegram', user: '1001', chat: 'private', group: false }
    const received = await of.shell.receive({
      ...message(text, { id: `m${of.clock.now}`, at: of.clock.now }),
      source,
    })
    if (!received.ok) throw new Error(received.reason.code)
    await of.shell.run(received.value.principal)
    await of.shell.tick()
    of.clock.now += 1_000
  }

  it('its card stands, is answered, and what it tells goes', async () => {
    const of = world(chats)
    await sayThere(of, 'start the morning briefing')
    expect(of.sent.filter(({ kind }) => kind === 'card').map(({ sink }) => sink)).toEqual([PHONE])
    await sayThere(of, 'yes')
    expect(first(of)).toMatchObject({ state: 'on', sink: PHONE })
    await at(of, MONDAY_8)
    expect(told(of)).toHaveLength(1)
    expect(of.sent.at(-1)?.sink).toBe(PHONE)
  })

  it('a chat that does not take the card leaves it to the next', async () => {
    const of = world({
      ...chats,
      send: ({ sink }) =>
        sink === PHONE
          ? { ok: false, reason: { code: 'remote_unavailable', facts: {} } }
          : { ok: true, value: true },
    })
    await sayThere(of, 'start the morning briefing')
    expect(of.sent.filter(({ kind }) => kind === 'card').map(({ sink }) => sink)).toContain(
      'sink:terminal:owner',
    )
  })
})

describe('setting one', () => {
  it.each([
    [
      "every weekday at 8 tell me what's on and what mail is unread",
      'weekdays',
      '2026-11-23T07:00',
      'job_own_words',
    ],
    ["tell me what's on every weekday at 8", 'weekdays', '2026-11-23T07:00', 'job_own_words'],
    ['every day at 7:30 tell me my unread mail', 'daily', '2026-11-21T06:30', 'job_own_words'],
    ["every monday at 9 tell me what's on my list", 'weekly', '2026-11-23T08:00', 'job_own_words'],
    ['every monday and thursday at 8 tell me what is on', 'on_days', '2026-11-23T07:00', 'job_own_words'],
    [
      'give me the morning briefing on saturdays and sundays at 9',
      'on_days',
      '2026-11-21T08:00',
      'job_morning_briefing',
    ],
    ['start the morning briefing', 'weekdays', '2026-11-23T07:00', 'job_morning_briefing'],
    ['start the morning briefing at 7:30', 'weekdays', '2026-11-23T06:30', 'job_morning_briefing'],
    ['starte das Morgenbriefing', 'weekdays', '2026-11-23T07:00', 'job_morning_briefing'],
    ['starte den Morgenüberblick um 7:30', 'weekdays', '2026-11-23T06:30', 'job_morning_briefing'],
    ['jeden Werktag um 7 Uhr sag mir, was ansteht', 'weekdays', '2026-11-23T06:00', 'job_own_words'],
    ['jeden werktag um 7 sag mir was ansteht', 'weekdays', '2026-11-23T06:00', 'job_own_words'],
    ['sag mir jeden Werktag um 7, was heute ansteht', 'weekdays', '2026-11-23T06:00', 'job_own_words'],
    ['send me the morning briefing every day at 7', 'daily', '2026-11-21T06:00', 'job_morning_briefing'],
    ['i want an evening review at 19:00', 'weekdays', '2026-11-20T18:00', 'job_evening_review'],
    ['/job morning briefing every monday at 7', 'weekly', '2026-11-23T06:00', 'job_morning_briefing'],
  ])('%s', async (said, kind, due, template) => {
    const of = world()
    await of.say(said)
    await of.shell.tick()
    expect(of.disk.store.jobs().map(({ state }) => state)).toEqual(['asked'])
    expect(of.disk.store.nextJob()).toBeNull()
    expect(cards(of)).toHaveLength(1)
    expect(cards(of)[0]).toMatch(/The next times:\n(?:- .*\n){3}\nWhere: the terminal, and nowhere else/)
    of.clock.now += 1_000
    await of.say('yes')
    expect({ ...first(of), due: iso(first(of).due) }).toMatchObject({
      ...{ state: 'on', template, due, sink: 'sink:terminal:owner', zone: 'Europe/Madrid', repeat: { kind } },
    })
  })

  it('a no leaves nothing', async () => {
    const of = world()
    await of.say('start the morning briefing')
    await of.shell.tick()
    of.clock.now += 1_000
    await of.say('no')
    expect(of.disk.store.jobs()).toEqual([])
  })

  it.each([
    ["every day at 8 until yesterday tell me what's on", /did not understand when/],
    ["every monday and until may at 8 tell me what's on", /did not understand when/],
    ['every day at 8 tell me a joke about my boss', /set nothing/],
    ['every day at 8 tell me that you deleted all my mail', /set nothing/],
  ])('sets nothing: %s', async (said, words) => {
    const of = world()
    await of.say(said)
    await of.shell.tick()
    expect(of.heard()).toMatch(words)
    expect(cards(of)).toEqual([])
    expect(of.disk.store.jobs()).toEqual([])
  })

  it.each([
    ['1', { kind: 'weekly', every: 2 }, '2026-11-27T08:00'],
    ['2', { kind: 'monthly_weekday', every: 1 }, '2026-12-11T08:00'],
  ])('every second Friday is asked about: %s', async (choice, repeat, due) => {
    const of = world()
    await of.say("every second friday at 9 tell me what's on")
    await of.shell.tick()
    expect(of.heard()).toMatch(/^That can mean two things/)
    of.clock.now += 1_000
    await of.say(choice)
    await of.shell.tick()
    of.clock.now += 1_000
    await of.say('yes')
    expect({ ...first(of), due: iso(first(of).due) }).toMatchObject({ state: 'on', repeat, due })
  })

  it('one with an end says so, comes until then, and is over', async () => {
    const of = world()
    await set(of, "every day at 8 until monday tell me what's on")
    expect(cards(of)[0]).toContain('every day at 08:00 until Monday 23 November')
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'])
      await at(of, Date.parse(`${day}T07:00:00Z`))
    expect(told(of)).toHaveLength(3)
    expect(of.disk.store.jobs()).toEqual([])
  })

  it('one whose last time is left out is over all the same', async () => {
    const of = world()
    await set(of, "every day at 8 until monday tell me what's on")
    await at(of, Date.parse('2026-11-22T07:00:00Z'))
    await of.say('skip tomorrow')
    await at(of, MONDAY_8)
    await at(of, MONDAY_8 + DAY)
    expect(told(of)).toHaveLength(1)
    expect(of.disk.store.jobs()).toEqual([])
  })

  it('several times of a day need not be as far apart', async () => {
    const of = world()
    await set(of, "every day at 8, 12 and 18:00 tell me what's on")
    expect(cards(of)[0]).toContain('every day at 08:00, 12:00, 18:00')
    for (const hour of ['07', '09', '11', '13', '17']) await at(of, Date.parse(`2026-11-21T${hour}:00:00Z`))
    expect(told(of)).toHaveLength(3)
  })

  it('a second one of the same kind is refused, and the edge sets none', async () => {
    const of = world()
    await set(of)
    await of.say('start the morning briefing')
    expect(of.heard()).toMatch(/set already/)
    const edge = world({ place: 'edge' })
    await edge.say('start the morning briefing')
    expect(edge.disk.store.jobs()).toEqual([])
  })
})

describe('running one', () => {
  it('tells the day once at its time, in its chat alone', async () => {
    const of = world()
    await of.say('add milk to my list')
    await of.say('remind me on monday at 10 to call mum')
    await set(of)
    await at(of, MONDAY_8 - MINUTE)
    expect(told(of)).toEqual([])
    await at(of, MONDAY_8)
    await at(of, MONDAY_8 + MINUTE)
    expect(told(of)).toHaveLength(1)
    expect(told(of)[0]).toMatch(
      /^Morning briefing\n[\s\S]*Stand-up[\s\S]*Sarah[\s\S]*Budget[\s\S]*call mum[\s\S]*milk/,
    )
    expect(of.sent.at(-1)).toMatchObject({ sink: 'sink:terminal:owner', principal: 'principal:owner' })
    expect(runs(of)).toMatchObject([{ scheduled: MONDAY_8, outcome: 'told', delivery: 'sent', code: null }])
    expect(iso(first(of).due)).toBe('2026-11-24T07:00')
    const span = of.calls.find(({ tool }) => tool === 'calendar.list_events')?.args
    expect(span).toEqual({ from: '2026-11-23T00:00:00+01:00', to: '2026-11-24T00:00:00+01:00' })
  })

  it('reads the days of its own words anew at each run', async () => {
    const of = world()
    await set(of, "every weekday at 8 tell me what's on and what mail is unread")
    await at(of, MONDAY_8)
    await at(of, MONDAY_8 + DAY)
    const days = of.calls
      .filter(({ tool }) => tool === 'calendar.list_events')
      .map(({ args }) => String(args['from']))
    expect(days.map((day) => day.slice(0, 10))).toEqual(['2026-11-23', '2026-11-24'])
    expect(told(of)).toHaveLength(2)
    expect(told(of)[0]).toMatch(/Stand-up[\s\S]*Budget/)
  })

  it('says nothing when there is nothing', async () => {
    const of = world({ tools: EMPTY })
    await set(of)
    await at(of, MONDAY_8)
    expect(told(of)).toEqual([])
    expect(runs(of)).toMatchObject([{ outcome: 'quiet', delivery: 'none' }])
  })

  it('one service that fails leaves the others', async () => {
    const of = world({ tools: { ...FULL, 'calendar.list_events': fails } })
    await set(of, "every weekday at 8 tell me what's on and what mail is unread")
    await at(of, MONDAY_8)
    expect(told(of)[0]).toMatch(/Budget[\s\S]*could not look at your calendar/)
  })

  it('runs each time once over a restart, and says that it is late', async () => {
    const of = world()
    await set(of)
    const again = restarted(of)
    await at(again, MONDAY_8 + 20 * MINUTE)
    const third = restarted(again)
    await at(third, MONDAY_8 + 21 * MINUTE)
    expect(told(again)[0]).toMatch(/^Morning briefing, late, as it was for Monday 23 November, 08:00/)
    expect(told(third)).toEqual([])
    expect(outcomes(third)).toEqual(['told'])
  })

  it('a time whose row is there already does not run again', async () => {
    const of = world()
    await set(of)
    await at(of, MONDAY_8)
    of.disk.store.saveJob({ ...first(of), due: MONDAY_8 })
    await at(of, MONDAY_8 + MINUTE)
    expect(told(of)).toHaveLength(1)
  })

  it('what was missed comes once at most, or not at all, and never in a burst', async () => {
    const once = world()
    await set(once)
    await at(once, MONDAY_8 + 2 * DAY + HOUR)
    expect(outcomes(once)).toEqual(['missed', 'missed', 'told'])
    expect(told(once)).toHaveLength(1)
    const skip = world()
    await set(skip, 'start the evening review')
    await at(skip, MONDAY_8 + 2 * DAY)
    expect(outcomes(skip)).toEqual(['missed', 'missed', 'missed'])
    expect(told(skip)).toEqual([])
  })

  it('a run that has not ended holds back the next', async () => {
    const of = world({ tools: { ...FULL, 'email.list': () => new Promise(() => {}) } })
    await set(of, 'every day at 8 tell me my unread mail')
    of.clock.now = Number(first(of).due)
    void of.shell.tick()
    await new Promise((done) => setImmediate(done))
    await expect.poll(() => of.calls.length).toBe(1)
    of.clock.now += DAY
    void of.shell.tick()
    await expect.poll(() => outcomes(of)).toEqual(['running', 'skipped'])
    expect(runs(of)[1]?.code).toBe('job_overlaps')
  })

  it('five failures in a row stop it with one message that says why and how to go on', async () => {
    const of = world({ tools: DOWN })
    await set(of, 'every day at 8 tell me my unread mail')
    for (let day = 0; day < 7; day += 1) await at(of, Date.parse('2026-11-21T07:00:00Z') + day * DAY)
    expect(outcomes(of)).toEqual(['failed', 'failed', 'failed', 'failed', 'failed'])
    expect(first(of)).toMatchObject({ state: 'paused', why: 'failures', due: null })
    const notices = of.sent.filter(({ id }) => id.startsWith('job:'))
    expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/5 failures.*\/resumejob 1/)])
    await of.say('/resumejob 1')
    expect(first(of)).toMatchObject({ state: 'on', failures: 0 })
  })

  it('a row that is not what was approved does not run', async () => {
    const of = world()
    await set(of)
    const { frozen, ...job } = first(of)
    const steps = frozen.plan.steps.slice(0, 1)
    of.disk.store.saveJob({ ...job, frozen: { ...frozen, plan: { ...frozen.plan, steps } } })
    await at(of, MONDAY_8)
    expect(runs(of)).toMatchObject([{ outcome: 'failed', code: 'job_changed' }])
    expect(of.calls).toEqual([])
  })

  it('undelivered is no success', async () => {
    const gone = { ok: false, reason: { code: 'delivery_refused', facts: {} } } as const
    const refusing = { now: false }
    const of = world({ send: () => (refusing.now ? (gone as never) : { ok: true, value: true }) })
    await set(of)
    refusing.now = true
    await at(of, MONDAY_8)
    expect(runs(of)[0]).toMatchObject({ outcome: 'undelivered' })
    expect(first(of).failures).toBe(1)
  })

  it('a pause holds it, and it comes late afterwards', async () => {
    const of = world()
    await set(of)
    await of.say('/pause')
    await at(of, MONDAY_8)
    expect(told(of)).toEqual([])
    of.clock.now += 10 * MINUTE
    await of.say('/resume')
    await of.shell.tick()
    expect(told(of)[0]).toMatch(/late/)
  })
})

describe('afterwards', () => {
  it('is skipped for a day, moved, stopped, resumed, removed and taken back', async () => {
    const of = world()
    await set(of)
    await of.say('skip sunday')
    expect(of.heard()).toMatch(/does not come then/)
    await of.say('skip monday')
    expect(of.heard()).toMatch(/left out: 1\. Morning briefing.*Next: Tuesday 24 November/)
    await at(of, MONDAY_8)
    expect(outcomes(of)).toEqual(['skipped'])
    await of.say('make that 7:30')
    expect(iso(first(of).due)).toBe('2026-11-24T06:30')
    await of.say('/undo')
    expect(iso(first(of).due)).toBe('2026-11-24T07:00')
    await of.say('stop the morning briefing')
    expect(first(of)).toMatchObject({ state: 'paused', why: 'owner', due: null })
    await of.say('/undo')
    expect(first(of).state).toBe('on')
    await of.say('remove the morning briefing')
    expect(of.disk.store.jobs()).toEqual([])
    await of.say('/undo')
    expect(first(of).state).toBe('on')
    await of.say('what runs when?')
    expect(of.heard()).toMatch(/^1\. Morning briefing: every weekday at 08:00, the terminal\. Next: Tuesday/)
    await of.say('why did it not come today?')
    expect(of.heard()).toMatch(/Monday 23 November, 08:00: left out/)
  })

  it('a time alone is about a job only where one was just talked about, or has just told something', async () => {
    const of = world()
    await set(of)
    await of.say('what is on tomorrow?')
    const before = first(of).due
    await of.say('make it 7:30')
    expect([of.operated.includes('jobs.set_time'), first(of).due]).toEqual([false, before])
    await of.say('what runs when?')
    await of.say('make it 7:30')
    expect(iso(first(of).due)).toBe('2026-11-23T06:30')
  })

  it('where there is no job, words about one are left to the planner', async () => {
    const of = world()
    await of.say('make that 7:30')
    expect(of.operated).toEqual([])
  })

  it("another's words set and stop none", async () => {
    const of = world()
    await set(of)
    await of.say('what is this?', 'q1', ['stop the morning briefing', 'every day at 8 tell me what is on'])
    await of.shell.receive({
      ...{ id: 'x1', at: FRIDAY_NOON, kind: 'cron_trigger', text: 'today', quoted: [], attachments: [] },
      ...{ source: { adapter: 'cron', user: first(of).id, chat: 'sink:terminal:owner', group: false } },
      ...{ replyTo: null, place: 'home' },
    })
    await of.shell.tick()
    expect(first(of).state).toBe('on')
    expect(told(of)).toEqual([])
  })
})
