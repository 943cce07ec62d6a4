/** Numbers of cards: one card each for ever, at either place, whatever ended in between (F-03). */
import { describe, expect, it } from 'vitest'
import { answer, BOOK, created, onlyOne, waiting, worldWith } from './approvals-owner.ts'

const OTHER = 'book lunch with Sarah on Friday at 13:30'

describe('a number', () => {
  it('whose card expired after it was listed books nothing else', async () => {
    const world = worldWith()
    await world.say(BOOK)
    world.clock.now += 200_000
    await world.say(OTHER)
    expect((await waiting(world)).map(({ number }) => number)).toEqual([1, 3])
    world.clock.now += 150_000
    await world.shell.tick()
    expect((await waiting(world)).map(({ number }) => number)).toEqual([3])
    expect(await answer(world, '1')).toBe('approval_expired')
    expect(created(world)).toEqual([])
    expect(await answer(world, '3')).toBe('ok')
    expect(created(world)).toHaveLength(1)
  })

  it('is not given again to a later card', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await answer(world, '1', { decision: 'deny' })
    await world.say(BOOK)
    expect((await onlyOne(world)).number).toBe(3)
    expect(await answer(world, '1')).toBe('approval_denied')
    expect(created(world)).toEqual([])
  })

  it('of the other place names nothing here', async () => {
    const world = worldWith()
    await world.say(BOOK)
    expect(await answer(world, '2')).toBe('approval_unknown')
    expect(created(world)).toEqual([])
  })

  it('of equal requests answers as many as its card said, and runs one', async () => {
    const world = worldWith()
    for (let n = 0; n < 2; n += 1) await world.say(BOOK)
    expect(await onlyOne(world)).toMatchObject({ number: 3, count: 2 })
    await world.say(BOOK)
    expect(await onlyOne(world)).toMatchObject({ number: 5, count: 3 })
    expect(await answer(world, '3')).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect(await onlyOne(world)).toMatchObject({ number: 5, count: 1 })
  })
})
