/** Cache of home's grants in one stranger's object (F-13): empty until fetched or pushed, valid for its time, always the newest. */
import { expect, test } from 'vitest'
import { createGrantCache, type HeldGrants } from '../../durable-objects/grants.ts'
import { heldGrant } from '../../kernel/tunnel/synced.ts'

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

test('no grant is valid before a fetch, and a valid one is fetched once', async () => {
  const { cache, clock, ids } = cacheOf(held('g1'))
  expect(ids()).toEqual([])
  for (let n = 0; n < 3; n += 1) await cache.refresh()
  expect([ids(), clock.asked]).toEqual([['g1'], 1])
})

test('an expired grant is not valid, and is fetched again', async () => {
  const { cache, clock, ids } = cacheOf(held('g1'), held('g2', 30))
  await cache.refresh()
  clock.now = 10
  expect(ids()).toEqual([])
  await cache.refresh()
  expect(ids()).toEqual(['g2'])
})

test('an empty answer is not fetched again with every message', async () => {
  const { cache, clock, ids } = cacheOf(held('g1', 1), held('g2', 90_000))
  for (let n = 0; n < 3; n += 1) await cache.refresh()
  expect([ids(), clock.asked]).toEqual([[], 1])
  clock.now = 61_001
  await cache.refresh()
  expect([ids(), clock.asked]).toEqual([['g2'], 2])
})

test('a pushed grant is valid at once', async () => {
  const { cache, ids } = cacheOf(held('g1', 1))
  await cache.refresh()
  cache.replace(held('g2'))
  expect(ids()).toEqual(['g2'])
})

test('there are no grants when the fetch fails, or for the owner', async () => {
  const { cache, ids } = cacheOf(null)
  for (let n = 0; n < 2; n += 1) await cache.refresh()
  expect(ids()).toEqual([])
})

test('a push during a fetch is not overwritten by its answer', async () => {
  let answer: (grants: HeldGrants) => void = () => undefined
  const ask = () => new Promise<HeldGrants>((resolve) => (answer = resolve))
  const cache = createGrantCache({ now: () => 1, ask })
  const asked = cache.refresh()
  cache.replace({ grants: [], until: 10 })
  answer(held('g1'))
  await asked
  expect(cache.granted()).toEqual([])
})
