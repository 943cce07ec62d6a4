/** "Not now" begins a quiet time, and the reminder that just came comes again at its end (DESIGN §9); quiet hours of home hold at the edge as well. */
import { describe, expect, it } from 'vitest'
import { hearQuiet, quietOf, quietToTell } from '../../kernel/features/quiet/quiet.ts'
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
    ['not now, for an hour', 60],
    ['Not now, in two hours', 120],
    ['not now, for 20 minutes', 20],
    ['jetzt nicht, in einer Stunde', 60],
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

describe('what home says of quiet hours', () => {
  const NIGHT = { hours: { from: 1_320, to: 420 }, until: null }

  it('holds at the edge until home says otherwise, and what was said there meanwhile stays', async () => {
    const [home, edge] = [world({ tools: {} }), world({ place: 'edge' })]
    expect(quietToTell(home.powers)).toBeNull()
    let told = 0
    await home.say('quiet hours from 22 to 7')
    const said = quietToTell(home.powers)
    expect(said).toEqual(NIGHT)
    hearQuiet(edge.powers, said)
    expect(quietOf(edge.powers)).toEqual(NIGHT)
    await edge.say('quiet hours from 20 to 6')
    expect(edge.heard()).toContain('That holds at the edge')
    hearQuiet(edge.powers, said)
    expect(quietOf(edge.powers).hours).toEqual({ from: 1_200, to: 360 })
    await home.say('/unquiet')
    hearQuiet(edge.powers, quietToTell(home.powers))
    expect(quietOf(edge.powers).hours).toEqual({ from: 1_200, to: 360 })
    hearQuiet(edge.powers, NIGHT)
    hearQuiet(edge.powers, null)
    expect(quietOf(edge.powers).hours).toBeNull()
    Object.assign(home.powers, { profileChanged: () => (told += 1) })
    await home.say('quiet hours from 22 to 7')
    expect(told).toBe(1)
  })
})
