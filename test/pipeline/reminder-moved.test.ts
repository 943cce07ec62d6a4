/** A reminder that repeats, moved and taken back: its repetition changes by as much as was said, and comes back whole (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import { createWorld, type World } from './world.ts'

const row = ({ disk }: World) => {
  const [one] = disk.store.openReminders('principal:owner', 'reminder')
  if (one?.due == null) throw new Error('no reminder')
  return { ...one, due: one.due }
}
/** In Madrid, in winter. */
const local = (due: number) => new Date(due + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')

async function comes(world: World, times: number): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    world.clock.now = row(world).due
    await world.shell.tick()
  }
}

/** Its time, and the next ones. */
async function following(world: World, times: number): Promise<readonly string[]> {
  const seen: string[] = []
  for (let nth = 0; nth < times; nth += 1) {
    seen.push(local(row(world).due))
    await comes(world, 1)
  }
  return seen
}

describe.each(['home', 'edge'] as const)('at the %s', (place) => {
  it('one of the 31st stays one of the 31st with another time of day', async () => {
    const world = createWorld({ place })
    await world.say('remind me every month on the 31st at 9 to pay rent')
    await comes(world, 2)
    expect(local(row(world).due)).toBe('2027-02-28 09:00')
    await world.say('move reminder 1 to 18:00')
    expect(world.heard()).toMatch(/^Moved: /)
    expect(await following(world, 1)).toEqual(['2027-02-28 18:00'])
    // The clocks of March are another hour ahead.
    expect(new Date(row(world).due).toISOString()).toBe('2027-03-31T16:00:00.000Z')
  })

  it('/undo gives the whole repetition back, and once more takes it', async () => {
    const world = createWorld({ place })
    await world.say('remind me every month on the 31st at 9 to pay rent')
    await comes(world, 2)
    const { due, repeat } = row(world)
    await world.say('move reminder 1 to 27 february at 18:00')
    const moved = row(world)
    expect(moved).not.toMatchObject({ due, repeat })
    await world.say('/undo')
    expect(row(world)).toMatchObject({ due, repeat })
    await world.say('/undo')
    expect(row(world)).toMatchObject({ due: moved.due, repeat: moved.repeat })
  })

  it('a daily one that was put off and moved is daily at its own time again after /undo', async () => {
    const world = createWorld({ place })
    await world.say('remind me every day at 13:00 to take pills')
    await comes(world, 1)
    await world.say('snooze until monday at 9')
    expect(local(row(world).due)).toBe('2026-11-23 09:00')
    await world.say('move reminder 1 to 18:00')
    await world.say('/undo')
    expect(await following(world, 3)).toEqual(['2026-11-23 09:00', '2026-11-23 13:00', '2026-11-24 13:00'])
  })

  it('a day alone leaves the time of its repetition', async () => {
    const world = createWorld({ place })
    await world.say('remind me every day at 13:00 to take pills')
    await comes(world, 1)
    await world.say('snooze until monday at 9')
    await world.say('move reminder 1 to tuesday')
    expect(await following(world, 3)).toEqual(['2026-11-24 09:00', '2026-11-24 13:00', '2026-11-25 13:00'])
  })

  it.each([
    ['tuesday', ['2026-12-01 10:00', '2027-01-05 10:00']],
    ['tuesday at 11', ['2026-12-01 11:00', '2027-01-05 11:00']],
    ['11:00', ['2026-12-07 11:00', '2027-01-04 11:00']],
    ['24 november', ['2026-11-24 10:00', '2026-12-22 10:00']],
    ['tomorrow', ['2026-11-21 10:00', '2026-12-19 10:00']],
  ])('the first Monday of a month moved to %s', async (to, expected) => {
    const world = createWorld({ place })
    await world.say('remind me every month on the first monday at 10 to call the bank')
    await world.say(`move reminder 1 to ${to}`)
    expect(await following(world, 2)).toEqual(expected)
  })
})

describe('one of several, named by its words and a wish, without a verb', () => {
  it.each([
    'die mit der Wäsche lieber um acht',
    'die mit der Wäsche doch erst um 8',
    'verschieb die mit der Wäsche bitte auf acht',
    'the Wäsche one rather at 8am',
    'my Wäsche one at 8:00 instead',
  ])('%s', async (said) => {
    const world = createWorld({})
    await world.say('erinnere mich morgen um 7 an die Wäsche')
    await world.say('erinnere mich morgen um 9 an den Zahnarzt')
    await world.say(said)
    expect(
      world.disk.store.openReminders('principal:owner', 'reminder').map(({ due }) => local(Number(due))),
    ).toEqual(['2026-11-21 08:00', '2026-11-21 09:00'])
  })

  it.each(['die mit der Kaffeemaschine lieber um acht', 'the Wäsche one at the shop'])(
    'moves nothing: %s',
    async (said) => {
      const world = createWorld({})
      await world.say('erinnere mich morgen um 7 an die Wäsche')
      await world.say(said)
      expect(local(row(world).due)).toBe('2026-11-21 07:00')
    },
  )
})
