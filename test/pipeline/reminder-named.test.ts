/**
 * A reminder is changed and ended by its name, its number or its place in the list that was shown, without being called a reminder; what may as well be an
 * appointment is looked for in the calendar. Without a model.
 */
import { describe, expect, it } from 'vitest'
import { createWorld, type World } from './world.ts'

const tools = {
  'calendar.list_events': () => ({ ok: true as const, output: { events: [], more: false } }),
  'calendar.update_event': () => ({ ok: true as const, output: { id: 'e1' } }),
  'calendar.delete_event': () => ({ ok: true as const, output: { id: 'e1' } }),
}

async function talked(...said: readonly string[]): Promise<World> {
  const world = createWorld({ tools })
  for (const one of said) {
    world.clock.now += 60_000
    await world.say(one)
  }
  return world
}

const WASH = 'erinner mich um 17 Uhr an die Wäsche'
const FLOWERS = 'jeden Montag um 8 erinner mich an die Blumen'
const PILLS = 'remind me every day at 9 to take my pills'
const SET = [WASH, FLOWERS, PILLS]

describe('by its name', () => {
  it.each([
    ['verschieb die Wäsche auf 18 Uhr', 'Moved: 1. Friday 20 November, 18:00'],
    ['leg die Blumen auf Dienstag', 'Moved: 2. Tuesday 24 November, 08:00, weekly'],
    ['move the pills to 10', 'Moved: 3. Saturday 21 November, 10:00, every day'],
    ['skip the pills tomorrow', 'Put off: 3. Sunday 22 November, 09:00, every day'],
    ['Wäsche ist erledigt', 'Done: 1. '],
    ['done with Wäsche', 'Done: 1. '],
    ['hab die Wäsche gemacht', 'Cancelled: 1. '],
  ])('%s', async (said, answer) => {
    const world = await talked(...SET, said)
    expect(world.heard()).toContain(answer)
    expect(world.calls).toEqual([])
  })

  it('one that came is answered, and its repetition stays', async () => {
    const world = await talked(PILLS)
    world.clock.now = Date.parse('2026-11-21T08:00:10Z')
    await world.shell.tick()
    await world.say('the pills are done')
    expect(world.heard()).toContain('Done: 1. ')
    expect(world.disk.store.openReminders('principal:owner', 'reminder')).toMatchObject([
      { number: 1, answered: 'done' },
    ])
  })

  it('a repetition that is still to come is not ended by "done"', async () => {
    const world = await talked(FLOWERS, 'Blumen sind erledigt')
    expect(world.disk.store.openReminders('principal:owner', 'reminder')).toHaveLength(1)
  })

  it('what may be an appointment is looked for in the calendar', async () => {
    const world = await talked('remind me tomorrow at 9 to call the dentist', 'move the dentist to 4pm')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
  })

  it('of two with the name, none is moved', async () => {
    const world = await talked(
      ...[WASH, 'erinner mich um 19 Uhr an die Wäsche im Keller', PILLS],
      'verschieb die Wäsche auf 18 Uhr',
    )
    expect(world.heard()).not.toMatch(/^Moved/)
  })
})

describe('in the list that was shown last', () => {
  it.each([
    ['die zweite eine Stunde später', 'Moved: 3. Saturday 21 November, 10:00'],
    ['the second one an hour earlier', 'Moved: 3. Saturday 21 November, 08:00'],
    ['die mit den Blumen auf 9 Uhr', 'Moved: 2. Monday 23 November, 09:00'],
    ['lösch die 2', 'Cancelled: 2. '],
    ['delete 2', 'Cancelled: 2. '],
    ["the second one isn't needed anymore", 'Cancelled: 3. '],
    ['die zweite brauch ich nicht mehr', 'Cancelled: 3. '],
  ])('%s', async (said, answer) => {
    for (const list of ['whats coming up', 'was hab ich für Erinnerungen']) {
      const world = await talked(...SET, list, said)
      expect(world.heard()).toContain(answer)
      expect(world.calls).toEqual([])
    }
  })

  it('a number is that of the row after another one was changed, too', async () => {
    const world = await talked(...SET, 'zeig Erinnerungen', 'lösch die 1', 'lösch die 2')
    expect(world.heard()).toContain('Cancelled: 2. ')
  })
})
