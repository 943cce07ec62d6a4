/**
 * One daily cap for all objects of the edge (B-37): together they never exceed it, they need few requests and none without a cap,
 * and an object that cannot ask spends nothing.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDayShare, createDayShares } from '../../durable-objects/day-share.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { type Budget, NO_BUDGET } from '../../kernel/inference/budget.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { budgetSpent } from '../../kernel/wording/note.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'

const DAY = '2026-11-20'
const WORDS = 'please juggle the lanterns of Ines'
const NOTHING = JSON.stringify({ steps: [], explanation: '' })

function memory(): SyncKvStorage {
  const rows = new Map<string, unknown>()
  return {
    get: (key: string) => rows.get(key),
    put: (key: string, value: unknown) => void rows.set(key, value),
    delete: (key: string) => rows.delete(key),
    list: ({ prefix }: { readonly prefix: string }) => [...rows].filter(([key]) => key.startsWith(prefix)),
  } as unknown as SyncKvStorage
}

const cloud: ModelProvider = {
  reader: { id: 'cloud', locality: 'cloud', level: 'internal', compartments: [] },
  complete: async ({ parts }) =>
    ok({
      ...{ text: parts.purpose === 'plan' ? NOTHING : 'As you wish.', cut: false },
      tokens: { input: 1_000, output: 100 },
    }),
}

/** Several objects of one edge, each with its own storage. */
function edge(caps: Partial<Budget>, isUp = (): boolean => true) {
  const budget = { ...NO_BUDGET, ...caps }
  const shares = createDayShares(memory(), budget)
  let asked = 0
  const object = (name: string) =>
    createWorld({
      ...{ place: 'edge', models: [cloud], tools: mailTools(), budget },
      dayShare: createDayShare(async (day, need) => {
        asked += 1
        if (!isUp()) throw new Error('nobody there')
        return shares.reserve(name, day, need)
      }),
    })
  return { object, asked: () => asked }
}

const spent = (worlds: readonly ReturnType<typeof createWorld>[]): number =>
  worlds.reduce((all, { powers }) => all + powers.store.spentOn({ day: DAY }).tokens, 0)

test('several objects share one cap, and a call beyond it is answered by rules, which say so', async () => {
  const { object } = edge({ tokensPerDay: 20_000 })
  const objects = ['a', 'b', 'c', 'd'].map(object)
  for (let n = 0; n < 5; n += 1) for (const world of objects) await world.say(`${WORDS} ${n}`)
  expect(spent(objects)).toBeGreaterThan(10_000)
  expect(spent(objects)).toBeLessThanOrEqual(20_000)
  expect(objects.at(-1)?.heard()).toContain(budgetSpent())
})

test('a call that costs less than the granted share asks nobody', async () => {
  const { object, asked } = edge({ tokensPerDay: 10_000_000 })
  const world = object('a')
  for (let n = 0; n < 10; n += 1) await world.say(`${WORDS} ${n}`)
  expect(spent([world])).toBe(22_000)
  expect(asked()).toBe(1)
})

test('without a daily cap no object asks', async () => {
  const { object, asked } = edge({ tokensPerTask: 50_000 })
  const world = object('a')
  await world.say(WORDS)
  expect([world.heard(), asked()]).toEqual(['As you wish.', 0])
})

test('an object that cannot ask calls no paid model, and does once it can again', async () => {
  let up = false
  const { object } = edge({ tokensPerDay: 1_000_000 }, () => up)
  const world = object('a')
  await world.say(WORDS)
  expect([world.heard().includes(budgetSpent()), spent([world])]).toEqual([true, 0])
  up = true
  await world.say(`${WORDS} again`)
  expect(world.heard()).toBe('As you wish.')
})

test('no order of requests grants more than the cap, or takes a share back', () => {
  const ask = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    day: fc.constantFrom('2026-11-20', '2026-11-21'),
    tokens: fc.nat(4_000),
    cost: fc.nat(4_000),
  })
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 40 }), (asks) => {
      const shares = createDayShares(memory(), { tokensPerDay: 5_000, costPerDay: 3_000 })
      const given = new Map<string, { readonly tokens: number; readonly cost: number }>()
      for (const { name, day, ...need } of asks) {
        const before = given.get(day + name) ?? { tokens: 0, cost: 0 }
        const share = shares.reserve(name, day, need)
        expect(share.tokens).toBeGreaterThanOrEqual(before.tokens)
        expect(share.cost).toBeGreaterThanOrEqual(before.cost)
        given.set(day + name, share)
        const all = [...given].filter(([key]) => key.startsWith(day)).map(([, each]) => each)
        expect(all.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(5_000)
        expect(all.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(3_000)
      }
    }),
  )
})
