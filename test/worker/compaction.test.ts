/** Compaction at the edge: an evicted object loads the turns since the last one, and compaction delays no answer (O-34, O-39). */
import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { beforeEach, expect, test } from 'vitest'
import { createStore } from '../../integrations/store/store.ts'
import { MOST_RECENT_TURNS } from '../../kernel/features/history/compaction.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { deliveriesAfter, emptyTunnel, endOf, inside, owner, say, until } from './edge.ts'

beforeEach(async () => {
  await inside(OWNER_PRINCIPAL, ({ storage }) => storage.deleteAll())
  await emptyTunnel()
  await abortAllDurableObjects()
})

const TURNS = 8
const long = (word: string): string => `please note ${word}: ${'the boat left the harbour. '.repeat(560)}`

/** As a newly woken instance reads it. */
const kept = () =>
  inside(OWNER_PRINCIPAL, ({ storage }) => {
    const store = createStore(drizzle(storage))
    return {
      loaded: store.recentTurns(OWNER_PRINCIPAL, 50).map(({ turn }) => turn),
      archived: store.earlierTurns(OWNER_PRINCIPAL, { limit: 50, archivedOnly: true }).length,
      marker: store.compaction(OWNER_PRINCIPAL),
    }
  })

test('a long conversation is compacted automatically, survives an eviction, and the owner is notified once', async () => {
  for (let n = 0; n < TURNS; n += 1) await endOf((await say(long(`word${n}`))).task)
  const { loaded, archived, marker } = await until(kept, (now) => now.marker?.told === true)
  expect(marker?.summary.label.atoms.every(({ level }) => level === 'internal')).toBe(true)
  expect(loaded.length).toBeLessThan(TURNS)
  expect(loaded.length).toBeGreaterThanOrEqual(MOST_RECENT_TURNS)
  expect(loaded.length + archived).toBe(TURNS)
  await evictDurableObject(owner())
  const report = await endOf((await say('are you there?')).task)
  expect(report.task.state).toBe('completed')
  const after = await kept()
  expect(after.loaded.slice(0, -1)).toEqual(loaded)
  const notices = (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice')
  expect(notices).toHaveLength(1)
  expect(notices[0]?.text).toContain('notes of its older part')
})
