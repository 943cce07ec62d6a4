/** The owner changes a reminder while it is being sent: the change stays, and an ended reminder does not come (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import { createWorld, FRIDAY_NOON, type World } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ONE_O_CLOCK = FRIDAY_NOON + HOUR

const came = ({ sent }: World) =>
  sent.filter(({ id }) => id.startsWith('reminder:')).map(({ text }) => text.split('\n')[0] ?? '')
const row = ({ disk }: World, number = 1) => disk.store.reminderNumbered('principal:owner', number)

/** The messenger answers only after the owner said this. */
function saidWhileSending(world: World, words: string): void {
  const { sender } = world.powers
  const send = sender.send.bind(sender)
  let waits = true
  Object.assign(sender, {
    send: async (delivery: Parameters<typeof send>[0]) => {
      if (waits && delivery.id.startsWith('reminder:')) {
        waits = false
        await world.say(words)
      }
      return send(delivery)
    },
  })
}

async function at(world: World, moment: number): Promise<void> {
  world.clock.now = moment
  await world.shell.tick()
}

describe.each(['home', 'edge'] as const)('at the %s', (place) => {
  it('a daily reminder that is cancelled while it is sent comes no more', async () => {
    const world = createWorld({ place })
    await world.say('remind me every day at 13:00 to stretch')
    saidWhileSending(world, 'cancel reminder 1')
    await at(world, ONE_O_CLOCK)
    expect(row(world)).toMatchObject({ state: 'ended', occurrence: ONE_O_CLOCK, firedAt: ONE_O_CLOCK })
    await at(world, ONE_O_CLOCK + DAY)
    expect(came(world)).toHaveLength(1)
  })

  it('one that is moved while it is sent keeps the new time', async () => {
    const world = createWorld({ place })
    await world.say('remind me at 13:00 to call Eve')
    saidWhileSending(world, 'move reminder 1 to 18:00')
    await at(world, ONE_O_CLOCK)
    expect(row(world)).toMatchObject({ state: 'open', due: FRIDAY_NOON + 6 * HOUR, answered: null })
    await at(world, FRIDAY_NOON + 6 * HOUR)
    expect(came(world)).toHaveLength(2)
    expect(row(world)?.state).toBe('fired')
  })

  it('one that is cancelled while another is sent before it does not come', async () => {
    const world = createWorld({ place })
    await world.say('remind me at 13:00 to stretch')
    await world.say('remind me at 13:00 to call Eve')
    saidWhileSending(world, 'cancel reminder 2')
    await at(world, ONE_O_CLOCK)
    expect(came(world)).toEqual([expect.stringContaining('stretch')])
    expect(row(world, 2)?.state).toBe('ended')
  })

  it('one that is cancelled while it is sent, and put back, does not come twice at that time', async () => {
    const world = createWorld({ place })
    await world.say('remind me every day at 13:00 to stretch')
    saidWhileSending(world, 'cancel reminder 1')
    await at(world, ONE_O_CLOCK)
    await world.say('/undo')
    await at(world, ONE_O_CLOCK + HOUR)
    expect(came(world)).toHaveLength(1)
    expect(row(world)).toMatchObject({ state: 'open', due: ONE_O_CLOCK + DAY })
    await at(world, ONE_O_CLOCK + DAY)
    expect(came(world)).toHaveLength(2)
  })
})
