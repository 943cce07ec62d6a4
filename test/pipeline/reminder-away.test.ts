/**
 * Private reminders while home is away (DESIGN §9): the edge learns their times after a card and no other
 * way, no text and no number of them, and says once that one was due; nothing while home is there.
 */
import { describe, expect, it } from 'vitest'
import { hearTimes, MOST_TIMES, timesToTell } from '../../kernel/features/reminders/away.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { type Compartment, type Level, parseCompartment } from '../../kernel/flow/level.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { createWorld, FRIDAY_NOON, type World } from './world.ts'

function compartmentOf(name: string): Compartment {
  const parsed = parseCompartment(name)
  if (!parsed.ok) throw new Error(name)
  return parsed.value
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function allowed(world: World): Promise<void> {
  await world.say('tell my edge when my reminders are due')
  await world.shell.tick()
  expect(world.sent.map(({ text }) => text).join('\n')).toMatch(
    /when your private reminders are due\?[\s\S]*Never what they say/,
  )
  world.clock.now += 1_000
  await world.say('yes')
}

const home = () => createWorld({ pushes: true })
const hours = (world: World) => timesToTell(world.powers)?.map((at) => (at - FRIDAY_NOON) / HOUR)

describe('at home', () => {
  it.each([
    ['tell my edge when my reminders are due', 'reminders.share'],
    ['let my edge know when my private reminders are due', 'reminders.share'],
    ['sag mir auf der offenen Leitung, wenn eine Erinnerung fällig war', 'reminders.share'],
    ['sag mir im offenen Kanal, wenn eine Erinnerung fällig war', 'reminders.share'],
    ['keep my reminder times at home', 'reminders.unshare'],
    ['meine Edge darf nicht wissen, wann meine Erinnerungen fällig sind', 'reminders.unshare'],
  ])('%s', (said, operation) => {
    expect(operationInMessage(said)?.operation.name).toBe(operation)
  })

  it('no time leaves without a yes, and none after it was taken back', async () => {
    const world = home()
    let heard = 0
    Object.assign(world.powers, { profileChanged: () => (heard += 1) })
    await world.say('remind me at 14:00 to call the clinic')
    expect(timesToTell(world.powers)).toBeNull()
    await allowed(world)
    expect(hours(world)).toEqual([2])
    await world.shell.tick()
    expect(heard).toBe(1)
    await world.say('remind me at 15:00 to call mum')
    await world.shell.tick()
    await world.shell.tick()
    expect([hours(world), heard]).toEqual([[2, 3], 2])
    await world.say('keep my reminder times at home')
    await world.shell.tick()
    expect([timesToTell(world.powers), heard]).toEqual([null, 3])
  })

  it('a no leaves it as it was', async () => {
    const world = home()
    await world.say('remind me at 14:00 to call the clinic')
    await world.say('tell my edge when my reminders are due')
    await world.shell.tick()
    world.clock.now += 1_000
    await world.say('no')
    expect(timesToTell(world.powers)).toBeNull()
  })

  it('two of one time are one time, repetitions are several, and what is far away is none', async () => {
    const world = home()
    await allowed(world)
    await world.say('remind me at 14:00 to call mum')
    await world.say('remind me at 14:00 to call dad')
    await world.say('remind me in 30 days to pay')
    expect(hours(world)).toEqual([2])
    await world.say('remind me every day at 14:00 to stretch')
    expect(hours(world)).toEqual([...Array(14)].map((_, day) => 2 + 24 * day))
    await world.say('remind me every day at 15:00 to read')
    expect(timesToTell(world.powers)).toHaveLength(MOST_TIMES)
  })

  it.each([
    ['internal', null, 1],
    ['sensitive', null, 1],
    ['regulated', null, 0],
    ['regulated', 'health', 0],
    ['sensitive', 'health', 0],
  ] as const)('one whose words are %s, %s, tells %s times', async (level: Level, compartment, count) => {
    const world = home()
    await allowed(world)
    await world.say('remind me at 14:00 to call mum')
    const [one] = world.disk.store.openReminders('principal:owner', 'reminder')
    if (one === undefined) throw new Error('no reminder')
    const label = labelOf([
      {
        origin: 'x',
        field: '*',
        level,
        compartment: compartment === null ? null : compartmentOf(compartment),
      },
    ])
    world.disk.store.saveReminder({ ...one, ref: { ...one.ref, label } })
    expect(timesToTell(world.powers)).toHaveLength(count)
  })
})

/** At the edge, which heard of a time in two hours. */
function edge(): World {
  const world = createWorld({ place: 'edge', pushes: true, adminSinks: ['sink:openline:owner'] })
  hearTimes(world.powers, [FRIDAY_NOON + 2 * HOUR])
  world.link.up = false
  return world
}

const notices = ({ sent }: World) =>
  sent.filter(({ id }) => id.startsWith('reminder-away:')).map(({ text }) => text)

async function at(world: World, moment: number): Promise<number | null> {
  world.clock.now = moment
  return world.shell.tick()
}

const ONE =
  'A reminder of your private line was due at 14:00. Your home box is not connected; it tells you which once it is back.'

describe('at the edge', () => {
  it('says once that one was due while home is away, a while after its time', async () => {
    const world = edge()
    expect(await at(world, FRIDAY_NOON)).toBe(FRIDAY_NOON + 2 * HOUR + 2 * MINUTE)
    await at(world, FRIDAY_NOON + 2 * HOUR + MINUTE)
    expect(notices(world)).toEqual([])
    await at(world, FRIDAY_NOON + 2 * HOUR + 2 * MINUTE)
    expect(notices(world)).toEqual([ONE])
    // Home's word of before is heard again at each look.
    hearTimes(world.powers, [FRIDAY_NOON + 2 * HOUR])
    await at(world, FRIDAY_NOON + 3 * HOUR)
    await at(world, FRIDAY_NOON + DAY)
    expect(notices(world)).toEqual([ONE])
  })

  it('says nothing where home is connected, also once it is gone', async () => {
    const world = edge()
    world.link.up = true
    await at(world, FRIDAY_NOON + 2 * HOUR + 2 * MINUTE)
    world.link.up = false
    await at(world, FRIDAY_NOON + 4 * HOUR)
    expect(notices(world)).toEqual([])
  })

  it('says nothing where home took its word back', async () => {
    const world = edge()
    hearTimes(world.powers, null)
    expect(world.disk.store.setting('due_heard')).toBeNull()
    await at(world, FRIDAY_NOON + 4 * HOUR)
    expect(notices(world)).toEqual([])
  })

  it('waits for the end of quiet hours, and is not said where home is back by then', async () => {
    for (const isBack of [false, true]) {
      const world = edge()
      await world.say("don't disturb me until 18:00")
      expect(await at(world, FRIDAY_NOON + 2 * HOUR + 2 * MINUTE)).toBe(FRIDAY_NOON + 6 * HOUR)
      expect(notices(world)).toEqual([])
      world.link.up = isBack
      await at(world, FRIDAY_NOON + 6 * HOUR)
      expect(notices(world)).toEqual(isBack ? [] : [ONE])
    }
  })

  it('says several in one message, with the day of another day', async () => {
    const world = edge()
    hearTimes(world.powers, [FRIDAY_NOON + 2 * HOUR, FRIDAY_NOON + 3 * HOUR])
    await at(world, FRIDAY_NOON + DAY)
    expect(notices(world)).toEqual([
      'Reminders of your private line were due: Friday 20 November, 14:00, Friday 20 November, 15:00. Your home box is not connected; it tells you which once it is back.',
    ])
  })
})
