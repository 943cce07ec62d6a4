/** What one stranger's object holds of home's grants (F-13): none unless it was told, for as long as they count, and the newest word. */
import { expect, test } from 'vitest'
import { createGrantCache } from '../../durable-objects/grant-cache.ts'
import type { HeldGrants } from '../../durable-objects/grants.ts'
import { heldGrant } from '../../kernel/tunnel/told-grants.ts'

const grant = (id: string) =>
  heldGrant({ id, template: 't', action: 'a.b', fields: ['f'], daysAhead: 1, expiresAt: 99 }, 0)
const held = (id: string, until = 10): HeldGrants => ({ grants: [grant(id)], until })

function cacheOf(...answers: readonly (HeldGrants | null)[]) {
  const clock = { now: 1, asked: 0 }
  const ask = async (): Promise<HeldGrants | null> => {
    const answer = answers[clock.asked++]
    if (answer === undefined) throw new Error('nobody is there')
    return answer
  }
  const cache = createGrantCache({ now: () => clock.now, ask })
  return { cache, clock, ids: () => cache.granted().map(({ id }) => id) }
}

test('nothing counts that was not asked for, and what counts is asked for once', async () => {
  const { cache, clock, ids } = cacheOf(held('g1'))
  expect(ids()).toEqual([])
  for (let n = 0; n < 3; n += 1) await cache.refresh()
  expect([ids(), clock.asked]).toEqual([['g1'], 1])
})

test('what is over counts no more, and is asked for again', async () => {
  const { cache, clock, ids } = cacheOf(held('g1'), held('g2', 30))
  await cache.refresh()
  clock.now = 10
  expect(ids()).toEqual([])
  await cache.refresh()
  expect(ids()).toEqual(['g2'])
})

test('an answer that was of no use is not asked for with every message', async () => {
  const { cache, clock, ids } = cacheOf(held('g1', 1), held('g2', 90_000))
  for (let n = 0; n < 3; n += 1) await cache.refresh()
  expect([ids(), clock.asked]).toEqual([[], 1])
  clock.now = 61_001
  await cache.refresh()
  expect([ids(), clock.asked]).toEqual([['g2'], 2])
})

test('what is told meanwhile counts at once', async () => {
  const { cache, ids } = cacheOf(held('g1', 1))
  await cache.refresh()
  cache.told(held('g2'))
  expect(ids()).toEqual(['g2'])
})

test('none, where nobody can be asked and where nothing is granted', async () => {
  const { cache, ids } = cacheOf(null)
  for (let n = 0; n < 2; n += 1) await cache.refresh()
  expect(ids()).toEqual([])
})

test('what was told while it asked is not undone by the answer', async () => {
  let answer: (grants: HeldGrants) => void = () => undefined
  const ask = () => new Promise<HeldGrants>((resolve) => (answer = resolve))
  const cache = createGrantCache({ now: () => 1, ask })
  const asked = cache.refresh()
  cache.told({ grants: [], until: 10 })
  answer(held('g1'))
  await asked
  expect(cache.granted()).toEqual([])
})
