/** A fact that was corrected is told before and after, and undo puts it back in the place of the correction, as often as it is said (E-20). */
import { describe, expect, it } from 'vitest'
import { auditedAs, OWNER } from './approvals-owner.ts'
import { createWorld, type World } from './world.ts'

const asking = { principal: OWNER, sink: 'sink:terminal:owner' }
const factsOf = async ({ ports }: World) =>
  (await ports.memory.list(asking))
    .filter(({ kind }) => kind === 'fact')
    .map(({ text, number }) => [number, text])

async function corrected(): Promise<World> {
  const of = createWorld()
  await of.say('remember that my locker is roundel')
  of.clock.now += 1_000
  await of.say('that is wrong, it is twelve-up')
  of.clock.now += 1_000
  return of
}

describe('a correction', () => {
  it('is told before and after', async () => {
    const of = await corrected()
    expect(of.heard()).toContain('Corrected: my locker is twelve-up. Before: my locker is roundel.')
  })

  it.each(['undo', 'undo that', 'rückgängig', '/unforget', '/unforget 1'])(
    '%s puts it back',
    async (said) => {
      const of = await corrected()
      await of.say(said)
      expect(await factsOf(of)).toEqual([[1, 'my locker is roundel']])
      await of.say('what is my locker?')
      expect(of.heard()).toContain('roundel')
      expect(of.heard()).not.toContain('twelve-up')
    },
  )

  it('and undo after that brings the correction back', async () => {
    const of = await corrected()
    await of.say('undo')
    of.clock.now += 1_000
    await of.say('/unforget 1')
    expect(await factsOf(of)).toEqual([[1, 'my locker is twelve-up']])
  })

  it('is on record, by ids alone', async () => {
    const of = await corrected()
    await of.say('undo')
    const lines = auditedAs(of, 'memory_changed').filter(({ what }) => what === 'fact')
    expect(lines.map(({ change }) => change)).toEqual(['forgotten', 'restored', 'forgotten'])
    expect(JSON.stringify(lines)).not.toMatch(/locker|roundel/)
  })

  it('of a correction, goes back one step at a time', async () => {
    const of = await corrected()
    await of.say('/amend 1 77')
    expect(await factsOf(of)).toEqual([[1, 'my locker is 77']])
    await of.say('undo')
    expect(await factsOf(of)).toEqual([[1, 'my locker is twelve-up']])
  })

  it('is for good after ten minutes, and the former text is gone', async () => {
    const of = await corrected()
    of.clock.now += 601_000
    await of.shell.tick()
    await of.say('/unforget 1')
    expect(await factsOf(of)).toEqual([[1, 'my locker is twelve-up']])
  })

  it('that was forgotten itself leaves both to be brought back, newest first', async () => {
    const of = await corrected()
    await of.say('/forget 1')
    of.clock.now += 1_000
    await of.say('/unforget')
    expect(await factsOf(of)).toEqual([[1, 'my locker is twelve-up']])
  })
})
