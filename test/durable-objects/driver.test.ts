/** When the edge begins to work on what it has taken in: with its alarm set, when a burst is over, and waited for by nobody (B-25, T-13). */
import { beforeEach, expect, test } from 'vitest'
import { createDriver, type Driver, RECOVERY_DELAY } from '../../durable-objects/driver.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'

let log: string[]
let active: string[]
let paused: boolean
let driver: Driver

beforeEach(() => {
  log = []
  active = []
  paused = false
  const noted = (what: string) => async (): Promise<void> => void log.push(what)
  const store: Partial<Store> = {
    ...{ activePrincipals: () => active, activeTasks: () => [], pendingApprovals: () => [] },
    ...{ nextExpiry: () => null, retractions: () => [], waiting: () => [], expireSealed: () => 0 },
  }
  driver = createDriver({
    shell: {
      ...{ recover: noted('recover'), compact: async () => undefined, tick: async () => null },
      expire: () => undefined,
      // As long as a model takes that never answers.
      run: () => new Promise(() => void log.push('run')),
    },
    store: store as Store,
    storage: {
      getAlarm: async () => null,
      setAlarm: async (at) =>
        void log.push(Number(at) > Date.now() + RECOVERY_DELAY / 2 ? 'alarm later' : 'alarm now'),
    },
    ...{ principal: () => 'p', paused: () => paused, resting: () => false, prepare: async () => undefined },
    ...{ refresh: async () => undefined, bring: async () => null },
  })
})

const taken = (what: string) => driver.taking(async () => void log.push(what))
const seen = async (): Promise<readonly string[]> => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return log
}

test('the alarm is set before anything is taken in, and what is taken in is not waited for', async () => {
  await taken('one')
  expect(log).toEqual(['alarm later', 'one'])
  expect(await seen()).toEqual(['alarm later', 'one', 'recover', 'run'])
})

test('of a burst all is taken in before anything runs', async () => {
  const slow = Promise.withResolvers<void>()
  const last = driver.taking(async () => {
    await slow.promise
    log.push('last')
  })
  await taken('first')
  expect((await seen()).filter((what) => what !== 'alarm later')).toEqual(['first'])
  slow.resolve()
  await last
  expect((await seen()).slice(-4)).toEqual(['first', 'last', 'recover', 'run'])
})

test('what throws as it is taken in is driven all the same', async () => {
  await expect(driver.taking(() => Promise.reject(new Error('storage')))).rejects.toThrow('storage')
  expect(await seen()).toContain('run')
})

test('nothing runs while it is paused', async () => {
  paused = true
  await taken('one')
  expect(await seen()).toEqual(['alarm later', 'one'])
})

test.each([
  ['open work', ['p'], ['alarm now']],
  ['none', [], []],
])('an object that wakes with %s', async (_what, principals, alarms) => {
  active = principals
  await driver.resume()
  expect(log).toEqual(alarms)
})
