/** "Not now" begins a quiet time, and the reminder that just came comes again at its end (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import { quietOf } from '../../kernel/features/quiet/quiet.ts'
import { world } from './job-world.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
const texts = ({ sent }: World) => sent.map(({ text }) => text)
const reminded = (of: World) => texts(of).filter((text) => text.startsWith('Reminder'))

async function pass(of: World, minutes: number): Promise<void> {
  of.clock.now += minutes * MINUTE
  await of.shell.tick()
}

describe('not now', () => {
  it.each([
    ['not now', 60],
    ['Not now, in two hours', 120],
    ['not now, for 20 minutes', 20],
    ['jetzt nicht', 60],
    ['nicht jetzt, in 2 Stunden', 120],
  ])('%s: quiet, and the reminder again after %i minutes', async (said, minutes) => {
    const of = world({ tools: {} })
    await of.say('in 5 minutes remind me to check the oven')
    await pass(of, 5)
    expect(reminded(of)).toHaveLength(1)
    await of.say(said)
    expect(of.heard()).toContain('Quiet until')
    expect(of.heard()).toContain('comes again then')
    expect(quietOf(of.powers).until).toBe(of.clock.now + minutes * MINUTE)
    await pass(of, minutes - 1)
    expect(reminded(of)).toHaveLength(1)
    await pass(of, 2)
    expect(reminded(of)).toHaveLength(2)
  })

  it('is quiet without a reminder, too, and ends by undo', async () => {
    const of = world({ tools: {} })
    await of.say('not now, in two hours')
    expect(of.heard()).toContain('Quiet until')
    expect(of.heard()).not.toContain('comes again')
    await of.say('/undo')
    expect(quietOf(of.powers).until).toBeNull()
  })
})
