/**
 * Counts what an object costs on the platform's plan: rows written, requests, and the time in which it runs. A count must cost next to
 * nothing itself: a principal's object lets it ride in the audit line that ends a task; others keep theirs now and then. Must not count
 * content. Called by the three objects.
 */
import { type PlanSpent, sumOf } from '../kernel/features/usage/plan.ts'

/** Messages of a socket that the platform charges as one request. */
const SOCKET_MESSAGES = 20
/** Rows, or requests, after which a count is kept: keeping it costs one in sixteen of what it counts. As many may be lost when an object sleeps. */
const KEPT_AFTER = 16
/** Milliseconds of running after which a count is kept: on the free plan a second of it is about what a row is. */
const KEPT_RUNNING = 16_000
/** Milliseconds after which a count of rows is kept however few they are: one row of its own a minute at most, and none while nothing is written. */
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
  /** By the day in which it was spent, as midnight may pass before it is kept. */
  let pending: Days = {}
  let keptAt = 0
  /** Rows of `pending` that hold the count itself: they are counted, but call for no keeping, or each would call for the next. */
  let own = 0
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const days = (): Days => kv.get<Days>(METER) ?? {}
  const collect = (): void => {
    const at = now()
    const { rows, requests, duration } = meter.take()
    // What ran over midnight ran in both days.
    const ran = Math.min(duration, at % DAY)
    pending = added(pending, {
      [dayOf(at)]: { rows, requests, duration: ran },
      ...(ran < duration && { [dayOf(at - DAY)]: { ...NOTHING, duration: duration - ran } }),
    })
  }
  const settle = (): void => {
    collect()
    const { rows, requests, duration } = sumOf(Object.values(pending))
    const written = rows - own
    const much = written >= KEPT_AFTER || requests >= KEPT_AFTER || duration >= KEPT_RUNNING
    if (!much && (written === 0 || now() - keptAt < KEPT_WITHIN)) return
    const all = Object.entries(added(days(), pending)).filter(([day]) => isLate(day, now()))
    kv.put<Days>(METER, Object.fromEntries(all))
    pending = {}
    keptAt = now()
    own = 1
  }
  return {
    spent() {
      collect()
      const all = added(days(), pending)
      const late = Object.entries(all).flatMap(([day, one]) => (isLate(day, now()) ? [one] : []))
      return { today: all[dayOf(now())] ?? NOTHING, lately: sumOf(late) }
    },
  }
}

function added(days: Days, more: Days): Days {
  const sums = Object.entries(more).map(([day, one]) => [day, sumOf([days[day] ?? NOTHING, one])] as const)
  return { ...days, ...Object.fromEntries(sums) }
}

function isLate(day: string, now: number): boolean {
  return Date.parse(day) > now - METERED_DAYS * DAY
}
