/** Two times of one reminder, and one that comes until it is done, without a model (DESIGN §9): what is set, said, and ended by "done". */
import { describe, expect, it } from 'vitest'
import { createWorld, type World } from './world.ts'

const rows = ({ disk: { store } }: World) => store.openReminders('principal:owner', 'reminder')
const local = (due: number | null) => new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16)
const set = (world: World) => rows(world).map(({ due, repeat }) => [local(due), repeat?.kind ?? null])

async function given(said: string): Promise<World> {
  const world = createWorld({})
  await world.say(said)
  return world
}

/** The world begins on Friday 20 November 2026 at noon in Madrid. */
describe('two times of one', () => {
  it.each([
    [
      'remind me tomorrow at 9 and again at 12 to take the pill',
      ['2026-11-21T09:00', '2026-11-21T12:00'],
      null,
    ],
    ['remind me to take the pill tomorrow at 9 and at 21:00', ['2026-11-21T09:00', '2026-11-21T21:00'], null],
    [
      'remind me every day at 9 and 21:00 to take the pill',
      ['2026-11-20T21:00', '2026-11-21T09:00'],
      'daily',
    ],
    ['remind me tomorrow at 8 and 11 pm to take the pill', ['2026-11-21T20:00', '2026-11-21T23:00'], null],
    [
      'erinnere mich morgen um 9 und nochmal um 12 an die Tablette',
      ['2026-11-21T09:00', '2026-11-21T12:00'],
      null,
    ],
  ])('%s', async (said, dues, repeat) => {
    const world = await given(said)
    expect(set(world)).toEqual(dues.map((due) => [due, repeat]))
    expect(world.heard().match(/I will remind you/g)).toHaveLength(2)
    expect(world.heard().match(/pill|Tablette/g)).toHaveLength(2)
  })

  it.each([
    'remind me at 9 and again at 12',
    'remind me tomorrow at 9 and 12 people to call',
    'remind me at 9 and 9 to take the pill',
  ])('%s: sets no two', async (said) => {
    expect(set(await given(said)).length).toBeLessThan(2)
  })
})

describe('until it is done', () => {
  it.each([
    ["remind me every day at 9 to pay rent until it's done", '2026-11-21T09:00'],
    ["chase me every day at 9 about the invoice until it's paid", '2026-11-21T09:00'],
    ["remind me every day at 9 to call the bank until I've done it", '2026-11-21T09:00'],
    ['erinnere mich jeden Tag um 9 an die Rechnung, bis es erledigt ist', '2026-11-21T09:00'],
  ])('%s: comes daily, and "done" ends it', async (said, due) => {
    const world = await given(said)
    expect(set(world)).toEqual([[due, 'daily']])
    expect(world.heard()).toMatch(/until you say that it is done/)
    for (const day of [1, 2]) {
      world.clock.now = Number(rows(world)[0]?.due)
      await world.shell.tick()
      expect(rows(world)).toHaveLength(1)
      expect(world.sent.filter(({ id }) => id.startsWith('reminder:'))).toHaveLength(day)
    }
    await world.say('done')
    expect(rows(world)).toEqual([])
    await world.say('/undo')
    expect(rows(world)).toHaveLength(1)
  })

  it('keeps its end when it is moved, and one without it goes on after "done"', async () => {
    const world = await given("remind me every day at 9 to pay rent until it's done")
    await world.say('/moveremind 1 10:00')
    expect(rows(world)[0]?.repeat).toMatchObject({ kind: 'daily', until: 'done' })
    const other = await given('remind me every day at 9 to stretch')
    other.clock.now = Number(rows(other)[0]?.due)
    await other.shell.tick()
    await other.say('done')
    expect(rows(other)).toHaveLength(1)
  })
})
