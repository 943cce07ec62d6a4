/**
 * Counts what an object costs on the platform's plan: rows written, requests, and the time in which it runs. A count must cost next to
 * nothing itself: a principal's object lets it ride in the audit line that ends a task; others keep theirs now and then. Must not count
 * content. Called by the three objects.
 */
import { type PlanSpent, sumOf } from '../kernel/features/usage/plan.ts'

/** Messages of a socket that the platform charges as one request. */
const SOCKET_MESSAGES = 20
/** Rows that may be lost when an object sleeps, so that keeping the count costs one row in sixteen at most. */
const KEPT_AFTER = 16
/** Milliseconds after which a count is kept in any case. */
const KEPT_WITHIN = 60_000
/** Milliseconds; the plan's day begins at 00:00 UTC. */
export const DAY = 86_400_000
/** Days with a count, today's among them. */
export const METERED_DAYS = 7
const METER = 'meter'

const NOTHING: PlanSpent = Object.freeze({ rows: 0, requests: 0, duration: 0 })

export interface Meter {
  /** What was counted since the last call. */
  take(): PlanSpent
  /** Counts the time until `work` ends. */
  during<T>(work: Promise<T>): Promise<T>
  /** Counts a request, or a part of one. */
  called(requests: number): void
}

interface MeterInput {
  readonly now?: () => number
  /** Called whenever nothing runs any more. */
  readonly idle?: () => void
}

const meters = new WeakMap<object, Meter>()

/** The meter of an object, from its constructor on. The platform's storage belongs to this object alone, so its writes are counted in place. */
export function createMeter(
  object: object,
  storage: DurableObjectStorage,
  { now = Date.now, idle }: MeterInput = {},
): Meter {
  let [rows, requests, duration] = [0, 0, 0]
  let [running, since] = [0, 0]
  countWrites(storage, (more) => {
    rows += more
  })
  const meter: Meter = {
    take() {
      const at = now()
      if (running > 0) [duration, since] = [duration + at - since, at]
      const taken = { rows, requests: Math.floor(requests), duration }
      rows = 0
      duration = 0
      requests -= taken.requests
      return taken
    },
    async during(work) {
      if (running === 0) since = now()
      running += 1
      try {
        return await work
      } finally {
        running -= 1
        if (running === 0) {
          duration += now() - since
          idle?.()
        }
      }
    },
    called(more) {
      requests += more
    },
  }
  meters.set(object, meter)
  return meter
}

/** A statement's own count; one row for a stored value, and for an alarm, as the platform charges them. */
function countWrites(storage: DurableObjectStorage, wrote: (rows: number) => void): void {
  const { sql, kv } = storage
  const { exec } = sql
  sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
    const cursor = exec.call(sql, query, ...values)
    wrote(cursor.rowsWritten)
    return cursor
  }) as typeof exec
  const { put, delete: remove } = kv
  kv.put = (name, value) => {
    put.call(kv, name, value)
    wrote(1)
  }
  kv.delete = (name) => {
    const was = remove.call(kv, name)
    if (was) wrote(1)
    return was
  }
  const { setAlarm } = storage
  storage.setAlarm = (...alarm) => {
    wrote(1)
    return setAlarm.apply(storage, alarm)
  }
}

/** Counts calls of the asynchronous methods of a class, and the time that they take: an object's public methods are what others call. */
export function countCalls(of: { readonly prototype: object }): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of.prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue
    const counted = function (this: object, ...given: unknown[]): unknown {
      const result = value.apply(this, given)
      const meter = meters.get(this)
      // What others call is asynchronous; the rest is the object's own.
      if (meter === undefined || !(result instanceof Promise)) return result
      meter.called(name.startsWith('webSocket') ? 1 / SOCKET_MESSAGES : 1)
      return meter.during(result)
    }
    Object.defineProperty(of.prototype, name, { value: counted, configurable: true, writable: true })
  }
}

type Days = Readonly<Record<string, PlanSpent>>

export interface KeptMeter {
  /** Of today, and of the last METERED_DAYS; counts that were not kept before the object slept are missing. */
  spent(): { readonly today: PlanSpent; readonly lately: PlanSpent }
}

/** The meter of an object that ends no tasks. */
export function createKeptMeter(
  object: object,
  storage: DurableObjectStorage,
  now: () => number = Date.now,
): KeptMeter {
  const { kv } = storage
  const meter = createMeter(object, storage, { now, idle: () => settle() })
  let pending = NOTHING
  let keptAt = 0
  const today = (): string => new Date(now()).toISOString().slice(0, 10)
  const days = (): Days => kv.get<Days>(METER) ?? {}
  const collect = (): PlanSpent => {
    pending = sumOf([pending, meter.take()])
    return pending
  }
  const settle = (): void => {
    const { rows } = collect()
    if (rows === 0 || (rows < KEPT_AFTER && now() - keptAt < KEPT_WITHIN)) return
    const known = days()
    const day = today()
    const kept = Object.entries(known).filter(([name]) => isLate(name, now()))
    kv.put<Days>(METER, { ...Object.fromEntries(kept), [day]: sumOf([known[day] ?? NOTHING, pending]) })
    pending = NOTHING
    keptAt = now()
  }
  return {
    spent() {
      const known = days()
      const own = sumOf([known[today()] ?? NOTHING, collect()])
      const late = Object.entries(known).flatMap(([day, one]) => (isLate(day, now()) ? [one] : []))
      return { today: own, lately: sumOf([...late, pending]) }
    },
  }
}

function isLate(day: string, now: number): boolean {
  return Date.parse(day) > now - METERED_DAYS * DAY
}
