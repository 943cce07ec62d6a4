/** After the weekly consolidation the assistant is described anew, here and at the edge, by the real chore at its time (G-22, M-19). */
import { expect, it, vi } from 'vitest'
import { lookAtChore } from '../../kernel/features/housekeeping/chores.ts'
import { consolidateMemory } from '../../sidecar/jobs/memory-chore.ts'
import { createSelfNews } from '../../sidecar/persona/self.ts'
import { createWorld } from '../pipeline/world.ts'

const SUNDAY = Date.parse('2026-11-22T10:00:30Z')

it('renews what it knows of itself, once a Sunday', async () => {
  vi.useFakeTimers()
  try {
    const of = createWorld({})
    await of.say('remember that my sister lives in Leeds')
    const { powers } = of
    const touched: string[] = []
    const told = vi.fn()
    const keeper = {
      touch: (trigger: Parameters<typeof powers.self.touch>[0]): void => {
        touched.push(trigger)
        powers.self.touch(trigger)
      },
    }
    const renewed = createSelfNews(keeper, told)
    const look = () => lookAtChore(powers, 'memory', () => consolidateMemory({ powers, renewed }))
    await look()
    expect(touched).toEqual([])
    of.clock.now = SUNDAY
    const before = powers.self.current()
    await look()
    await look()
    expect(touched).toEqual(['memory'])
    of.clock.now += 3_600_000
    expect(powers.self.current()).not.toBe(before)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(told).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})
