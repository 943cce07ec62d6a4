/**
 * Which objects receive home's grants (F-13): only on change, several at a time, and never so many that strangers could hold up
 * home's frame by their number.
 */
import { expect, test } from 'vitest'
import { AT_ONCE, createEdgeGrants, MOST_HOLDERS } from '../../durable-objects/grants.ts'
import type { EdgeEnv } from '../../durable-objects/platform/env.ts'
import type { SyncedGrant } from '../../kernel/tunnel/synced.ts'

function place() {
  const rows = new Map<string, unknown>()
  const kv = {
    get: (key: string) => rows.get(key),
    put: (key: string, value: unknown) => void rows.set(key, value),
    delete: (key: string) => rows.delete(key),
    list: ({ prefix }: { readonly prefix: string }) => [...rows].filter(([key]) => key.startsWith(prefix)),
  } as unknown as SyncKvStorage
  const told: string[] = []
  let [now, most] = [0, 0]
  const principal = (name: string) => ({
    setGrants: async () => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
      told.push(name)
    },
  })
  const env = {
    PRINCIPALS: { getByName: principal },
    TUNNEL: { getByName: () => ({ homeSeenAt: async () => Date.now() }) },
  } as unknown as EdgeEnv
  return { grants: createEdgeGrants(kv, env), told, most: () => most }
}

const grant = (id: string): SyncedGrant => ({
  ...{ id, template: 'scheduling', action: 'calendar.freebusy', daysAhead: 14 },
  ...{ fields: ['slots[].busy'], expiresAt: Date.now() + 86_400_000 },
})

test('an object with grants receives a change, and no repetition', async () => {
  const { grants, told } = place()
  await grants.of('ann')
  const given = [grant('g1')]
  await grants.set(given, 0)
  await grants.set(given, 0)
  expect(told).toEqual(['ann'])
  await grants.set([], 0)
  expect(told).toEqual(['ann', 'ann'])
})

test('many objects receive a push concurrently, and one beyond the maximum gets no grant', async () => {
  const { grants, told, most } = place()
  await grants.set([grant('g1')], 0)
  const names = Array.from({ length: MOST_HOLDERS }, (_, n) => `n${n}`)
  for (const name of names) expect((await grants.of(name)).grants).toHaveLength(1)
  expect((await grants.of('late')).grants).toEqual([])
  // A known holder may fetch as often as it wants.
  expect((await grants.of('n0')).grants).toHaveLength(1)
  await grants.set([], 0)
  expect(told.toSorted()).toEqual(names.toSorted())
  expect(most()).toBe(AT_ONCE)
})
