/**
 * Reminders and tasks, said and heard without a model (DESIGN §9, §10): what is set, that each is delivered once, also after a
 * restart, late ones, repetitions, and what is never set.
 */
import { describe, expect, it } from 'vitest'
import { createWorld, FRIDAY_NOON, type World } from './world.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const reminders = ({ sent }: World) =>
  sent.filter(({ id }) => id.startsWith('reminder:')).map(({ text }) => text.replace(/\n1 Done · .*$/, ''))
const open = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')
const tasks = ({ disk }: World) => disk.store.openReminders('principal:owner', 'task')

async function at(world: World, moment: number): Promise<void> {
  world.clock.now = moment
  await world.shell.tick()
}

/** Owner’s zone of the world: Madrid, an hour ahead of UTC. */
const local = (due: number | null) => new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16)

describe.each(['home', 'edge'] as const)('at the %s', (place) => {
  it('leaves days in the words as they are', async () => {
    const world = createWorld({ place })
    await world.say('remind me tomorrow at 9 to book monday to friday off')
    expect(world.heard()).toContain('book monday to friday off')
  })

  it.each([
    ['remind me tomorrow at 9 to call mum', '2026-11-21T09:00', null],
    ['remind me to call mum tomorrow at 9', '2026-11-21T09:00', null],
    ['in 20 minutes remind me to check the oven', '2026-11-20T12:20', null],
    ['remind me on friday at noon about the tax letter', '2026-11-27T12:00', null],
    ['remind me tomorrow to water the plants', '2026-11-21T09:00', null],
    ['remind me at 9 to book a table for 7pm', '2026-11-21T09:00', null],
    ['set a reminder for tomorrow at 9 to call mum', '2026-11-21T09:00', null],
    ['every monday at 8 remind me to put the bins out', '2026-11-23T08:00', 'weekly'],
    ['remind me every day at 7 to stretch', '2026-11-21T07:00', 'daily'],
    ['remind me to stretch every weekday at 8', '2026-11-23T08:00', 'weekdays'],
    ['remind me every 2 weeks on friday at 9 to pay', '2026-11-27T09:00', 'weekly'],
    ['remind me every month on the second friday at 9 to pay', '2026-12-11T09:00', 'monthly_weekday'],
    [
      'remind me on the first monday of every month at 10 to call the bank',
      '2026-12-07T10:00',
      'monthly_weekday',
    ],
    [
      'remind me every first monday of the month at 10 to call the bank',
      '2026-12-07T10:00',
      'monthly_weekday',
    ],
    ["don't forget to water the plants at 18:00", '2026-11-20T18:00', null],
    ['remember to call mum tomorrow at 5pm', '2026-11-21T17:00', null],
    ['nudge me at 17:45 to take the bread out', '2026-11-20T17:45', null],
    ['wake me up tomorrow at 7', '2026-11-21T07:00', null],
    ['remind me every month on the 3rd at 9 to pay rent', '2026-12-03T09:00', 'monthly'],
    ['remind me annually on january 5 to call Eve', '2027-01-05T09:00', 'monthly'],
    ['remind me on the last day of every month to pay rent', '2026-11-30T09:00', 'month_end'],
    ['erinnere mich jährlich am 5. Januar an Eves Geburtstag', '2027-01-05T09:00', 'monthly'],
    ['remind me every monday and thursday at 8 to water the plants', '2026-11-23T08:00', 'on_days'],
    ['on tuesdays, thursdays and saturdays at 18:30 remind me to train', '2026-11-21T18:30', 'on_days'],
    ['remind me every mon, wed & fri at 7 to run', '2026-11-23T07:00', 'on_days'],
    ['remind me monday to friday at 8 to take my pills', '2026-11-23T08:00', 'weekdays'],
    ['remind me on weekends at 10 to call mum', '2026-11-21T10:00', 'on_days'],
    ['remind me every day except sunday at 9 to read', '2026-11-21T09:00', 'on_days'],
    ['remind me every sat at 9 to bake', '2026-11-21T09:00', 'weekly'],
    ['erinnere mich montags und donnerstags um 8 an den Müll', '2026-11-23T08:00', 'on_days'],
    ['erinnere mich jeden Dienstag und Freitag um 18 Uhr an die Blumen', '2026-11-20T18:00', 'on_days'],
    ['erinnere mich montags um 8 an den Müll', '2026-11-23T08:00', 'weekly'],
    ['remind me fortnightly on friday at 9 to pay', '2026-11-27T09:00', 'weekly'],
    ['erinnere mich alle zwei Wochen am Montag um 9 an den Müll', '2026-11-23T09:00', 'weekly'],
  ])('%s', async (said, due, repeat) => {
    const world = createWorld({ place })
    await world.say(said)
    expect(open(world).map((one) => [local(one.due), one.repeat?.kind ?? null])).toEqual([[due, repeat]])
    expect(world.heard()).toMatch(/^I will remind you, /)
    expect(/, then (?:every|on) /.test(world.heard())).toBe(repeat !== null)
    await expect(world.shell.tick()).resolves.toBeLessThanOrEqual(Number(open(world)[0]?.due))
  })

  it.each([
    [
      'every second friday at 9 remind me to pay',
      /1: Fri 27 Nov, 09:00, then every 2 weeks\n {2}2: Fri 11 Dec, 09:00, then every month on that weekday/,
    ],
    [
      'remind me mon, wed and fri at 7 to run',
      /1: Mon 23 Nov, 07:00, then every .*\n {2}2: Mon 23 Nov, 07:00; Wed 25 Nov, 07:00; Fri 27 Nov, 07:00/,
    ],
    ['remind me twice a week to water the plants', /^On which days\?/],
    ['remind me three times a day to drink', /^At which times\?/],
    ['erinnere mich zweimal die Woche an die Blumen', /^On which days\?/],
    ['remind me every day at 9 until whenever to stretch', /nothing/],
    ['remind me biweekly on friday at 9 to pay', /nothing/],
    ['remind me twice a year on may 5 to call Eve', /nothing/],
    ['remind me on the last friday of the month to pay rent', /nothing/],
    ['erinnere mich zweimal im Jahr am 5. mai an Eves Geburtstag', /nothing/],
    ['remind me to call mum', /^When\?/],
    ['remind me tomorrow at 9', /What should I remind you of/],
  ])('sets nothing: %s', async (said, answer) => {
    const world = createWorld({ place })
    await world.say(said)
    expect(world.heard()).toMatch(answer)
    expect(open(world)).toEqual([])
  })

  it.each([
    ['remind me every year on may 5 to call Eve', /Wed 5 May 2027, 09:00, then every year/, 'every year'],
    [
      'remind me on the last day of each month to pay rent',
      /Mon 30 Nov, 09:00, then on the last day of each month/,
      'on the last day of each month',
    ],
    [
      'remind me on the last friday of every month to pay rent',
      /Fri 27 Nov, 09:00, then on the last such weekday of each month/,
      'on the last such weekday of each month',
    ],
    [
      'remind me every day at 9 until christmas to stretch',
      /tomorrow 09:00, then every day, until Thursday 24 December/,
      'every day, until Thursday 24 December',
    ],
    [
      'every weekday at 8 for two weeks remind me to log my hours',
      /Mon 23 Nov, 08:00, then every weekday, until Sunday 6 December/,
      'until Sunday 6 December',
    ],
  ])('says how often: %s', async (said, answer, listed) => {
    const world = createWorld({ place })
    await world.say(said)
    expect(world.heard()).toMatch(answer)
    await world.say('/reminders')
    expect(world.heard()).toContain(listed)
  })

  it('ends after its last time, and that one can be put off', async () => {
    const world = createWorld({ place })
    await world.say('remind me every friday at 9 three times to water the plants')
    for (const day of ['2026-11-27', '2026-12-04', '2026-12-11', '2026-12-18', '2026-12-25'])
      await at(world, Date.parse(`${day}T08:01:00Z`))
    expect(reminders(world)).toHaveLength(3)
    expect(open(world)).toEqual([])
    const other = createWorld({ place })
    await other.say('remind me every friday at 9 until 28 november to pay')
    await at(other, Date.parse('2026-11-27T08:01:00Z'))
    await other.say('in an hour')
    await at(other, Date.parse('2026-11-27T09:02:00Z'))
    await at(other, Date.parse('2026-12-04T09:02:00Z'))
    expect(reminders(other)).toHaveLength(2)
  })

  it('keeps its end through a change of its times', async () => {
    const world = createWorld({ place })
    await world.say('remind me every day at 9 until christmas to stretch')
    await world.say('move the stretch reminder to every weekday')
    expect(open(world)).toMatchObject([{ repeat: { kind: 'weekdays', last: '2026-12-24' } }])
  })

  it.each([
    ['every second friday at 9 remind me to pay', '2', [['monthly_weekday', 1, '2026-12-11T09:00']]],
    ['every second friday at 9 remind me to pay', '1', [['weekly', 2, '2026-11-27T09:00']]],
    [
      'erinnere mich jeden zweiten Freitag um 9 an die Miete',
      '2',
      [['monthly_weekday', 1, '2026-12-11T09:00']],
    ],
    ['remind me mon, wed and fri at 7 to run', '1', [['on_days', 21, '2026-11-23T07:00']]],
    [
      'remind me mon, wed and fri at 7 to run',
      '2',
      [
        [null, null, '2026-11-23T07:00'],
        [null, null, '2026-11-25T07:00'],
        [null, null, '2026-11-27T07:00'],
      ],
    ],
  ])('sets what was chosen of two: %s; %s', async (said, choice, set) => {
    const world = createWorld({ place })
    await world.say(said)
    world.clock.now += 1_000
    await world.say(choice)
    expect(
      open(world).map(({ repeat, due }) => [repeat?.kind ?? null, repeat?.every ?? null, local(due)]),
    ).toEqual(set)
  })

  it.each([
    ['remind me every day at 8, 12 and 6pm to take my drops', ['18:00', '08:00', '12:00']],
    ['erinnere mich täglich um 8, 12 und 18 Uhr an die Tropfen', ['18:00', '08:00', '12:00']],
  ])('is set for each of several times: %s', async (said, times) => {
    const world = createWorld({ place })
    await world.say(said)
    expect(open(world).map(({ due }) => local(due).slice(11))).toEqual(times)
    expect(open(world).every(({ repeat }) => repeat?.kind === 'daily')).toBe(true)
  })

  it('comes on the last day of a month, however long it is', async () => {
    const world = createWorld({ place })
    await world.say('remind me at the end of every month at 9 to pay rent')
    for (const day of ['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28'])
      await at(world, Date.parse(`${day}T08:01:00Z`))
    expect(reminders(world)).toHaveLength(4)
  })

  it('delivers once, at its time and in its chat, also over a restart', async () => {
    const world = createWorld({ place })
    await world.say('in 20 minutes remind me to check the oven')
    await at(world, FRIDAY_NOON + 19 * MINUTE)
    expect(reminders(world)).toEqual([])
    const again = createWorld({ place, disk: world.disk })
    await at(again, FRIDAY_NOON + 20 * MINUTE)
    await at(again, FRIDAY_NOON + 21 * MINUTE)
    expect(reminders(again)).toEqual(['Reminder 1: check the oven'])
    const third = createWorld({ place, disk: world.disk })
    await at(third, FRIDAY_NOON + DAY)
    expect(reminders(third)).toEqual([])
  })

  it('says when it is late', async () => {
    const world = createWorld({ place })
    await world.say('in 20 minutes remind me to check the oven')
    await at(world, FRIDAY_NOON + 60 * MINUTE)
    expect(reminders(world)).toEqual([
      'Reminder 1, late, as it was for Friday 20 November, 12:20: check the oven',
    ])
  })

  it('is put off where it came, and comes again', async () => {
    const world = createWorld({ place })
    await world.say('in 20 minutes remind me to check the oven')
    await at(world, FRIDAY_NOON + 20 * MINUTE)
    await world.say('in an hour')
    expect(world.heard()).toMatch(/^I will remind you again/)
    await at(world, FRIDAY_NOON + 80 * MINUTE)
    await world.say('/later 10m')
    await at(world, FRIDAY_NOON + 90 * MINUTE)
    expect(reminders(world)).toHaveLength(3)
  })

  it('lists, adds and ticks off', async () => {
    const world = createWorld({ place })
    await world.say('add milk and eggs to my list')
    await world.say('put the tax letter on my list')
    expect(tasks(world)).toHaveLength(3)
    await world.say("what's on my list?")
    expect(world.heard()).toBe('1. milk\n2. eggs\n3. the tax letter')
    await world.say('done with the second')
    await world.say('/done 3')
    expect(world.heard()).toBe('Done: 3. the tax letter')
    await world.say('/tasks')
    expect(world.heard()).toBe('1. milk')
    await world.say("what's coming up?")
    expect(world.heard()).toMatch(/^No reminder is set/)
  })
})

it('things of a list are the owner’s own words, also after what others wrote was shown', async () => {
  const event = {
    id: 'e1',
    title: 'salt',
    from: '2026-11-21T09:00:00+01:00',
    to: '2026-11-21T10:00:00+01:00',
  }
  const listed = { events: [{ ...event, allDay: false, attendees: 0 }], more: false }
  const world = createWorld({ tools: { 'calendar.list_events': () => ({ ok: true, output: listed }) } })
  await world.say('what is on tomorrow?')
  await world.say('put salt, jam and cheese on my list')
  expect(world.disk.store.pendingApprovals(null)).toEqual([])
  expect(tasks(world)).toHaveLength(3)
})

describe.each(['home', 'edge'] as const)('by its words at the %s', (place) => {
  const withThree = async (): Promise<World> => {
    const world = createWorld({ place })
    for (const said of [
      'remind me tomorrow at 9 to call mum',
      'remind me on friday at noon to pay the rent',
      'remind me every day at 7 to stretch',
    ])
      await world.say(said)
    return world
  }
  const left = (world: World) =>
    open(world)
      .map(({ number }) => number)
      .sort()

  it.each([
    ['cancel the reminder to call mum', [2, 3]],
    ['cancel my rent reminder', [1, 3]],
    ['delete the reminder about mum and the rent', [3]],
    ['stop reminding me to stretch', [1, 2]],
    ['cancel reminder 2', [1, 3]],
    ['cancel the second reminder', [2, 3]],
    ['cancel that reminder', [1, 2]],
    ['cancel the dentist reminder', [1, 2, 3]],
    ['cancel the reminder about mum and the dentist', [1, 2, 3]],
  ])('%s', async (said, expected) => {
    const world = await withThree()
    await world.say(said)
    expect(left(world)).toEqual(expected)
    expect(/^Cancelled: /.test(world.heard())).toBe(expected.length < 3)
  })

  it('several that fit are named, and none is ended', async () => {
    const world = await withThree()
    await world.say('remind me on sunday at 9 to call dad')
    await world.say('cancel the reminder to call')
    expect(world.heard()).toMatch(/More than one fits/)
    expect(left(world)).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['move the rent reminder to saturday', 2, '2026-11-21T12:00'],
    ['move the rent reminder to 5pm', 2, '2026-11-27T17:00'],
    ['change the mum reminder to monday at 10:30', 1, '2026-11-23T10:30'],
    ['postpone my rent reminder until next wednesday', 2, '2026-11-25T12:00'],
    ['move reminder 3 to 6:30', 3, '2026-11-21T06:30'],
  ])('%s', async (said, number, due) => {
    const world = await withThree()
    await world.say(said)
    expect(world.heard()).toMatch(/^Moved: /)
    const moved = open(world).find((one) => one.number === number)
    expect(local(moved?.due ?? null)).toBe(due)
    if (moved?.repeat) expect(moved.repeat.first.slice(11)).toBe(due.slice(11))
    await world.say('/undo')
    const back = { 1: '2026-11-21T09:00', 2: '2026-11-27T12:00', 3: '2026-11-21T07:00' }[number]
    expect(local(open(world).find((one) => one.number === number)?.due ?? null)).toBe(back)
  })

  it.each(['move the rent reminder to the moon', 'move the rent reminder to yesterday'])(
    'moves nothing: %s',
    async (said) => {
      const world = await withThree()
      await world.say(said)
      expect(world.heard()).not.toMatch(/^Moved/)
      expect(local(open(world).find(({ number }) => number === 2)?.due ?? null)).toBe('2026-11-27T12:00')
    },
  )

  it.each([
    ['done with the eggs', ['milk', 'bread', 'the tax letter of Monday']],
    ['I bought the milk and the bread', ['eggs', 'the tax letter of Monday']],
    ['remove bread from my list', ['milk', 'eggs', 'the tax letter of Monday']],
    ["I've done the tax letter", ['milk', 'eggs', 'bread']],
    ['cross the first one off my list', ['eggs', 'bread', 'the tax letter of Monday']],
    ['take the butter off my list', ['milk', 'eggs', 'bread', 'the tax letter of Monday']],
    ['I bought milk and butter', ['milk', 'eggs', 'bread', 'the tax letter of Monday']],
  ])('%s', async (said, expected) => {
    const world = createWorld({ place })
    await world.say('put milk, eggs and bread on my list')
    await world.say('task: the tax letter of Monday')
    await world.say(said)
    await world.say("what's left on my list?")
    const shown = world
      .heard()
      .replace(/^\d+\. /gm, '')
      .replace('&', 'and')
      .split('\n')
    expect(shown).toEqual(expected)
  })

  it('snoozes for a while', async () => {
    const world = await withThree()
    await at(world, FRIDAY_NOON + 21 * 3_600_000)
    await world.say('snooze that for an hour')
    expect(local(open(world)[0]?.due ?? null)).toBe('2026-11-21T10:00')
  })
})

it('a repetition keeps its time of day over a change of the clocks', async () => {
  const world = createWorld()
  world.clock.now = Date.parse('2027-03-26T11:00:00Z')
  await world.say('remind me every day at 9 to stretch')
  const fired: string[] = []
  for (let day = 0; day < 4; day += 1) {
    const due = Number(open(world)[0]?.due)
    fired.push(new Date(due).toISOString())
    await at(world, due)
  }
  expect(fired).toEqual([
    '2027-03-27T08:00:00.000Z',
    '2027-03-28T07:00:00.000Z',
    '2027-03-29T07:00:00.000Z',
    '2027-03-30T07:00:00.000Z',
  ])
  expect(reminders(world)).toHaveLength(4)
})

it('a repetition that was missed comes once, late, and goes on from now', async () => {
  const world = createWorld()
  await world.say('remind me every day at 9 to stretch')
  await at(world, FRIDAY_NOON + 4 * DAY)
  expect(reminders(world)).toHaveLength(1)
  expect(local(open(world)[0]?.due ?? null)).toBe('2026-11-25T09:00')
  await world.say('/unremind 1')
  expect(open(world)).toEqual([])
})
