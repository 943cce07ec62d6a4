/**
 * An hour of the early morning that is typed with its minutes, "6:45", is the morning of a reminder, and of a move the half
 * that is nearer to what it was.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

/** Madrid, Friday 20 November 2026, 12:00. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const due = ({ disk }: World) => {
  const [row] = disk.store.openReminders('principal:owner', 'reminder')
  return new Date((row?.due ?? 0) + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
}

describe('of a reminder', () => {
  it.each([
    ['remind me tomorrow at 6:45 about the pe kit', '2026-11-21 06:45'],
    ['remind me at 6:20 on sunday to feed the cat', '2026-11-22 06:20'],
    ['remind me at 6.15 tomorrow to water the plants', '2026-11-21 06:15'],
    ['erinnere mich morgen um 6:30 an die brote', '2026-11-21 06:30'],
    ['erinner mich am sonntag um 6:50 an den hund', '2026-11-22 06:50'],
    ['remind me every weekday at 6:40 to wake the kids', '2026-11-23 06:40'],
    ['erinnere mich jeden tag um 6:30 an die tabletten', '2026-11-21 06:30'],
  ])('%s', async (said, at) => {
    expect(due(await given(said))).toBe(at)
  })

  it.each([
    ['remind me at 6:45 to call the plumber', '2026-11-20 18:45'],
    ['remind me tomorrow at 6:45pm about the pe kit', '2026-11-21 18:45'],
    ['remind me tomorrow evening at 6:45 about the pe kit', '2026-11-21 18:45'],
    ['remind me tomorrow at 6 to fetch mia', '2026-11-21 18:00'],
    ['remind me tomorrow at 5:30 to fetch mia', '2026-11-21 17:30'],
    ['remind me tomorrow at 18:45 to call', '2026-11-21 18:45'],
    ['remind me tomorrow at 6:45 about the party', '2026-11-21 18:45'],
    ['erinnere mich morgen abend um 6:45 an die wäsche', '2026-11-21 18:45'],
  ])('is the evening where that is said, or is what comes next: %s', async (said, at) => {
    expect(due(await given(said))).toBe(at)
  })
})

describe('of what waits for a yes', () => {
  it.each([
    ['book a run tomorrow at 7:00', 'make it 6:45', '06:45'],
    ['book a run tomorrow at 7am', 'at 6:30 instead', '06:30'],
    ['trag morgen um 7 uhr joggen ein', 'doch lieber um 6:45', '06:45'],
    ['book dinner tomorrow at 7pm', 'make it 6:45', '18:45'],
  ])('%s; %s', async (set, said, clock) => {
    const of = await given(set, said)
    expect(of.heard()).toMatch(
      new RegExp(`2026-11-21T${clock}|21 November, ${clock}|21\\. November, ${clock}`),
    )
  })
})
