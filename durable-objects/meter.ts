/**
 * Counts what an object uses of the platform's plan: rows written, requests, and running time. Storing a count must cost almost
 * nothing: a principal's object adds it to the audit line that ends a task; the other objects store theirs at intervals. Must not
 * count content. Called by the three objects.
 */
import { type PlanSpent, sumOf } from '../kernel/features/usage/plan.ts'

/** Messages of a socket that the platform charges as one request. */
const SOCKET_MESSAGES = 20
/**
 * Rows, or requests, after which the count is stored: storing costs one row per sixteen counted. Up to that many are lost when an
 * object sleeps.
 */
const KEPT_AFTER = 16
/** Milliseconds of running time after which the count is stored: on the free plan one second costs about as much as one row. */
const KEPT_RUNNING = 16_000
/**
 * Milliseconds after which a count of rows is stored, however small: at most one extra row a minute, and none while nothing is
 * written.
 */
const KEPT_WITHIN = 60_000
/** Milliseconds; the plan's day begins at 00:00 UTC. */
export const DAY = 86_400_000
/** Number of days for which counts are stored, including today. */
export const METERED_DAYS = 7
const METER = 'meter'

const NOTHING: PlanSpent = Object.freeze({ rows: 0, requests: 0, duration: 0 })

export interface Meter {
  /** Returns what was counted since the last call, and resets the counts. */
  take(): PlanSpent
  /** Counts the time until `work` ends. */
  during<T>(work: Promise<T>): Promise<T>
  /** Counts a request, or a part of one. */
  called(requests: number): void
}

interface MeterInput {
  readonly now?: () => number
  /** Called whenever no counted work is running any more. */
  readonly idle?: () => void
}

const meters = new WeakMap<object, Meter>()

/**
 * Creates the meter of an object; call it in the constructor. Storage belongs to this object alone, so its methods are replaced
 * by counting ones.
 */
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

/** Counts rows as the platform charges them: those that a statement reports, one for a stored value, and one for an alarm. */
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

/**
 * Replaces the asynchronous methods of a class by ones that count the call and its running time. An object's public methods are
 * its requests.
 */
export function countCalls(of: { readonly prototype: object }): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of.prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue
    const counted = function (this: object, ...given: unknown[]): unknown {
      const result = value.apply(this, given)
      const meter = meters.get(this)
      // Only asynchronous methods are called from outside; the others are internal.
      if (meter === undefined || !(result instanceof Promise)) return result
      meter.called(name.startsWith('webSocket') ? 1 / SOCKET_MESSAGES : 1)
      return meter.during(result)
    }
    Object.defineProperty(of.prototype, name, { value: counted, configurable: true, writable: true })
  }
}

type Days = Readonly<Record<string, PlanSpent>>

export interface KeptMeter {
  /** Counts of today, and of the last METERED_DAYS. Counts that were not stored before the object slept are missing. */
  spent(): { readonly today: PlanSpent; readonly lately: PlanSpent }
}

/** Meter of an object that has no tasks, and so stores its counts itself. */
export function createKeptMeter(
  object: object,
  storage: DurableObjectStorage,
  now: () => number = Date.now,
): KeptMeter {
  const { kv } = storage
  const meter = createMeter(object, storage, { now, idle: () => settle() })
  /** Counts by the day on which they arose, as midnight may pass before they are stored. */
  let pending: Days = {}
  let keptAt = 0
  /**
   * Rows in `pending` that come from storing the count itself. They are counted but do not trigger storing, or each would trigger
   * the next.
   */
  let own = 0
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const days = (): Days => kv.get<Days>(METER) ?? {}
  const collect = (): void => {
    const at = now()
    const { rows, requests, duration } = meter.take()
    // Running time that spans midnight is split between the two days.
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
