/** When the edge starts work on accepted input: with its alarm set, after a burst, and not awaited (B-25, T-13). */
import { beforeEach, expect, test } from 'vitest'
import { createDriver, type Driver, RECOVERY_DELAY } from '../../durable-objects/principal/driver.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'

let log: string[]
let active: string[]
let paused: boolean
/** Runs of jobs without their end, and times that were not said to be not run yet. */
let openRuns: unknown[]
let notRun: string[]
let driver: Driver

beforeEach(() => {
  log = []
  active = []
  paused = false
  openRuns = []
  notRun = []
  const noted = (what: string) => async (): Promise<void> => void log.push(what)
  const store: Partial<Store> = {
    ...{
      activePrincipals: () => active,
      activeTasks: () => [],
      pendingApprovals: () => [],
      nextReminder: () => null,
      nextJob: () => null,
      setting: (name) => (name === 'jobs_not_run' ? (notRun[0] ?? null) : null),
      openRuns: () => openRuns as never,
    },
    ...{ nextExpiry: () => null, retractions: () => [], waiting: () => [], expireSealed: () => 0 },
  }
  driver = createDriver({
    shell: {
      ...{ recover: noted('recover'), compact: async () => undefined, tick: async () => null },
      expire: () => undefined,
      // A model that never answers.
      run: () => new Promise(() => void log.push('run')),
    },
    store: store as Store,
    storage: {
      getAlarm: async () => null,
      setAlarm: async (at) =>
        void log.push(Number(at) > Date.now() + RECOVERY_DELAY / 2 ? 'alarm later' : 'alarm now'),
    },
    ...{ principal: () => 'p', paused: () => paused, resting: () => false, prepare: async () => undefined },
    ...{ refresh: async () => undefined, bring: async () => null, during: (work) => work },
  })
})

const taken = (what: string) => driver.taking(async () => void log.push(what))
const seen = async (): Promise<readonly string[]> => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return log
}

test('the alarm is set before input is stored, and the work on it is not awaited', async () => {
  await taken('one')
  expect(log).toEqual(['alarm later', 'one'])
  expect(await seen()).toEqual(['alarm later', 'one', 'recover', 'run'])
})

test('all input of a burst is stored before anything runs', async () => {
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

test('input whose intake throws is driven all the same', async () => {
  await expect(driver.taking(() => Promise.reject(new Error('storage')))).rejects.toThrow('storage')
  expect(await seen()).toContain('run')
})

test('nothing runs while the object is locked or half imported', async () => {
  paused = true
  await taken('one')
  expect(await seen()).toEqual(['alarm later', 'one'])
})

test.each<[string, () => void, readonly string[]]>([
  ['open work', () => void active.push('p'), ['alarm now']],
  ['a run of a job whose end was not noted', () => void openRuns.push({}), ['alarm now']],
  ['a time of a job that was not said to be not run', () => void notRun.push('[]'), ['alarm now']],
  ['none', () => undefined, []],
])('an object that wakes with %s', async (_what, leave, alarms) => {
  leave()
  await driver.resume()
  expect(log).toEqual(alarms)
})
