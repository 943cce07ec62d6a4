/** How an object keeps the count of what it costs: rarely, so that the count costs next to nothing, and under the day in which it was spent. */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test } from 'vitest'
import { countCalls, createKeptMeter, type KeptMeter } from '../../durable-objects/meter.ts'
import { peer } from './edge.ts'

const NOON = Date.UTC(2026, 10, 22, 12)
const MINUTE = 60_000

/** An object with calls that read, write rows, or take their time. */
class Counted {
  readonly storage: DurableObjectStorage
  readonly clock: { now: number }
  constructor(storage: DurableObjectStorage, clock: { now: number }) {
    this.storage = storage
    this.clock = clock
  }
  async read(): Promise<void> {}
  async write(rows: number): Promise<void> {
    for (let row = 0; row < rows; row++) this.storage.kv.put('something', row)
  }
  async take(milliseconds: number): Promise<void> {
    await null
    this.clock.now += milliseconds
  }
}
countCalls(Counted)

interface World {
  readonly one: Counted
  readonly clock: { now: number }
  readonly meter: KeptMeter
  /** How often the count was kept. */
  kept(): number
  /** The meter of the object after it slept: what was not kept is gone. */
  slept(): KeptMeter
}

function world(name: string, run: (world: World) => Promise<void>, now = NOON): Promise<void> {
  return runInDurableObject(env.PRINCIPALS.getByName(peer(name)), async (_, { storage }) => {
    storage.kv.delete('meter')
    let kept = 0
    const { put } = storage.kv
    storage.kv.put = (key, value) => {
      if (key === 'meter') kept += 1
      put.call(storage.kv, key, value)
    }
    const clock = { now }
    const one = new Counted(storage, clock)
    const meter = createKeptMeter(one, storage, () => clock.now)
    const slept = () => createKeptMeter(new Counted(storage, clock), storage, () => clock.now)
    await run({ one, clock, meter, kept: () => kept, slept })
  })
}
afterEach(abortAllDurableObjects)

test('after a write, a thousand calls that only read keep the count once in sixteen calls, and not each for the row of the last', () =>
  world('meter-read', async ({ one, clock, meter, kept }) => {
    await one.write(1)
    expect(kept()).toBe(1)
    for (let call = 0; call < 1_000; call++) {
      clock.now += 10_000
      await one.read()
    }
    expect(kept()).toBe(1 + Math.floor(1_000 / 16))
    // Its own rows are told all the same.
    expect(meter.spent().today).toMatchObject({ rows: 1 + kept(), requests: 1_001 })
  }))

test('an object that writes nothing keeps its requests and the time in which it ran', () =>
  world('meter-still', async ({ one, kept, slept }) => {
    for (let call = 0; call < 15; call++) await one.read()
    expect(kept()).toBe(0)
    await one.read()
    expect(kept()).toBe(1)
    expect(slept().spent().today).toMatchObject({ requests: 16 })
    await one.take(15_999)
    expect(kept()).toBe(1)
    await one.take(1)
    expect(kept()).toBe(2)
    expect(slept().spent().today).toMatchObject({ requests: 18, duration: 16_000 })
  }))

test('few rows are kept once a minute, and sixteen at once', () =>
  world('meter-rows', async ({ one, clock, kept }) => {
    await one.write(1)
    await one.write(15)
    expect(kept()).toBe(1)
    clock.now += MINUTE
    await one.read()
    expect(kept()).toBe(2)
    await one.write(15)
    expect(kept()).toBe(2)
    await one.write(1)
    expect(kept()).toBe(3)
  }))

test('what is kept after midnight counts for the day in which it was spent', () =>
  world(
    'meter-night',
    async ({ one, clock, meter, slept }) => {
      for (let call = 0; call < 10; call++) await one.read()
      clock.now += 2 * MINUTE
      expect(meter.spent().today).toEqual({ rows: 0, requests: 0, duration: 0 })
      await one.write(16)
      const { today, lately } = slept().spent()
      expect([today.requests, lately.requests]).toEqual([1, 11])
    },
    NOON + 12 * 60 * MINUTE - MINUTE,
  ))

test('a call that runs over midnight ran in both days', () =>
  world(
    'meter-over',
    async ({ one, meter }) => {
      await one.take(3 * MINUTE)
      const { today, lately } = meter.spent()
      expect([today.duration, lately.duration]).toEqual([2 * MINUTE, 3 * MINUTE])
    },
    NOON + 12 * 60 * MINUTE - MINUTE,
  ))
