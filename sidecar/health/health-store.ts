/**
 * Stores the owner's health data: a month of a source is one sealed row, bound to the label
 * `regulated:health`, so it can be opened at home only. Must not return a value to anything but the health
 * tool, nor cache one. Called by home-tools.ts, health-methods.ts and the operation that forgets.
 */
import * as z from 'zod/mini'
import type {
  DayValues,
  HealthKeeper,
  HealthMonth,
  HealthPort,
  KeptMonth,
} from '../../integrations/tools/health/health-port.ts'
import { ACTIVITIES, isMeasure, isPlausible, MEASURES } from '../../integrations/tools/health/measures.ts'
import { HEALTH_SOURCES, type HealthSource } from '../../integrations/tools/health/sources.ts'
import { parseJson } from '../../kernel/flow/json.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { provenanceOf } from '../../kernel/flow/provenance.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { SealAddress, Sealer } from '../../kernel/vault/sealer.ts'
import type { HealthRow, HealthRows } from '../store/health-rows.ts'

const LABEL = describeLabel(provenanceOf('health_export', 'health').label)

const DATE = /^\d{4}-\d\d-\d\d$/
const date = z.string().check(z.regex(DATE))
const amount = z.number().check(z.minimum(-1_000_000), z.maximum(1_000_000))
const value = z.strictObject({
  value: amount,
  low: z.exactOptional(amount),
  high: z.exactOptional(amount),
  samples: z.exactOptional(z.int()),
})
const workout = z.strictObject({
  day: date,
  at: z.string().check(z.regex(/^\d\d:\d\d$/)),
  activity: z.enum(ACTIVITIES),
  minutes: amount,
  km: z.exactOptional(amount),
  kcal: z.exactOptional(amount),
})
/** Maximum records of a month: each day once, and a workout every few minutes. */
const MOST = { days: 31, workouts: 10_000 } as const

export const monthSchema = z.strictObject({
  month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
  days: z
    .record(date, z.partialRecord(z.enum(MEASURES), value))
    .check(z.refine((days) => Object.keys(days).length <= MOST.days)),
  workouts: z.array(workout).check(z.maxLength(MOST.workouts)),
})

export interface HealthStore extends HealthPort, HealthKeeper {
  /**
   * Day by day: a day of these months is in place of what was kept of it from the same source, and a day that
   * they lack stays, so that a file with little in it takes nothing away. All of them or none. Refusals:
   * record_unreadable; record_malformed for a month that would be none.
   */
  keep(source: HealthSource, months: readonly HealthMonth[]): Promise<Result<true>>
  /** Deletes everything; returns the number of months. */
  forget(): number
}

export interface HealthStoreInput {
  readonly rows: HealthRows
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** IANA name. */
  readonly timezone: string
}

export function createHealthStore({ rows, sealer, now, timezone }: HealthStoreInput): HealthStore {
  // Created once: importing calls it for thousands of moments.
  const dates = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  const open = async ({
    source,
    month,
  }: Pick<HealthRow, 'source' | 'month'>): Promise<Result<HealthMonth>> => {
    const row = rows.get(source, month)
    if (row === null) return err('health_none')
    const plain = await sealer.open(addressOf(row), row.bytes)
    if (!plain.ok) return plain
    const parsed = z.safeParse(monthSchema, parseJson(new TextDecoder().decode(plain.value)))
    return parsed.success ? ok(parsed.data as HealthMonth) : err('record_malformed', { record: month })
  }
  const read = async (from: string, to: string): Promise<Result<readonly KeptMonth[]>> => {
    const known = rows.months()
    if (known.length === 0) return err('health_none')
    const found: KeptMonth[] = []
    for (const row of known.filter(({ month }) => month >= from.slice(0, 7) && month <= to.slice(0, 7))) {
      const month = await open(row)
      if (!month.ok) return month
      const source = HEALTH_SOURCES.find((one) => one === row.source)
      if (source !== undefined) found.push({ ...within(month.value, from, to), source })
    }
    return ok(found)
  }
  /** The last day in the last month of these rows, which may come from several sources. */
  const lastDayOf = async (
    known: readonly Pick<HealthRow, 'source' | 'month'>[],
  ): Promise<Result<string>> => {
    const last = known.at(-1)?.month ?? ''
    const days: string[] = []
    for (const row of known.filter(({ month }) => month === last)) {
      const month = await open(row)
      if (!month.ok) return month
      days.push(...daysOf(month.value))
    }
    return ok(days.sort().at(-1) ?? `${last}-01`)
  }
  let forgotten = 0
  /**
   * False, with nothing stored, if all data was deleted after `since`: an import that began before must not
   * bring it back.
   */
  const put = async (
    source: HealthSource,
    months: Iterable<HealthMonth>,
    since: number,
  ): Promise<boolean> => {
    const at = now()
    const sealed: HealthRow[] = []
    for (const month of months) {
      const row = { source, month: month.month, at, label: LABEL }
      const text = new TextEncoder().encode(JSON.stringify(month))
      sealed.push({ ...row, bytes: await sealer.seal(addressOf(row), text) })
    }
    if (forgotten !== since) return false
    rows.put(sealed)
    return true
  }
  const keptOf = async (source: HealthSource, month: string): Promise<Result<HealthMonth>> =>
    rows.get(source, month) === null ? ok({ month, days: {}, workouts: [] }) : open({ source, month })
  /** Read-modify-write of a month is serialised: the command and the folder may import at once. */
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const keep = async (source: HealthSource, months: readonly HealthMonth[]): Promise<Result<true>> => {
    const since = forgotten
    const merged = new Map<string, HealthMonth>()
    for (const fresh of months) {
      const { month } = fresh
      const before = merged.has(month) ? ok(merged.get(month) ?? fresh) : await keptOf(source, month)
      if (!before.ok) return before
      const both = mergedOf(before.value, fresh)
      if (!z.safeParse(monthSchema, both).success) return err('record_malformed', { record: month })
      merged.set(month, both)
    }
    return (await put(source, merged.values(), since)) ? ok(true) : keep(source, months)
  }
  const replace: HealthStore['replace'] = async (source, { from, to }, days) => {
    const since = forgotten
    const months: HealthMonth[] = []
    const own = Object.entries(days)
      .filter(([day]) => DATE.test(day) && day >= from && day <= to)
      .map(([day, values]) => [day, plausible(values)] as const)
      .filter(([, values]) => Object.keys(values).length > 0)
    let fresh = 0
    for (const month of monthsFrom(from, to)) {
      const before = await keptOf(source, month)
      if (!before.ok) return before
      const others = Object.entries(before.value.days).filter(([day]) => day < from || day > to)
      const these = own.filter(([day]) => day.startsWith(month))
      fresh += these.filter(([day]) => !Object.hasOwn(before.value.days, day)).length
      if (rows.get(source, month) !== null || these.length > 0)
        months.push({ ...before.value, days: Object.fromEntries([...others, ...these]) })
    }
    if (!(await put(source, months, since))) return replace(source, { from, to }, days)
    return ok({ days: own.map(([day]) => day).sort(), fresh })
  }
  return {
    today: () => dates.format(now()),
    async through() {
      const known = rows.months()
      if (known.length === 0) return err('health_none')
      return lastDayOf(known)
    },
    read,
    keep: (source, months) => alone(() => keep(source, months)),
    dayAt: (at) => dates.format(at),
    async known(source) {
      const own = rows.months().filter((row) => row.source === source)
      const days: string[] = []
      for (const row of [...own.slice(0, 1), ...own.slice(-1)]) {
        const month = await open(row)
        if (!month.ok) return month
        days.push(...daysOf(month.value))
      }
      const [from, to] = [days.sort()[0], days.at(-1)]
      return ok(from === undefined || to === undefined ? null : { from, to })
    },
    replace: (source, period, days) => alone(() => replace(source, period, days)),
    forget() {
      forgotten += 1
      return rows.clear()
    },
  }
}

/** A row of another month, kind or label does not decrypt. */
function addressOf({ source, month, label }: Pick<HealthRow, 'source' | 'month' | 'label'>): SealAddress {
  const record = `health:${source}:${month}`
  return { store: 'memory', principal: OWNER_PRINCIPAL, record, label, version: 1 }
}

/** If the newer import has data of a day, that day is replaced as a whole, with its workouts. */
function mergedOf(before: HealthMonth, fresh: HealthMonth): HealthMonth {
  const said = new Set(daysOf(fresh))
  const others = Object.entries(before.days).filter(([day]) => !said.has(day))
  const days = [...others, ...Object.entries(fresh.days)].sort(([a], [b]) => (a < b ? -1 : 1))
  const workouts = [...before.workouts.filter(({ day }) => !said.has(day)), ...fresh.workouts]
  return {
    month: fresh.month,
    days: Object.fromEntries(days),
    workouts: workouts.sort((a, b) => (`${a.day} ${a.at}` < `${b.day} ${b.at}` ? -1 : 1)),
  }
}

function daysOf({ days, workouts }: HealthMonth): readonly string[] {
  return [...Object.keys(days), ...workouts.map(({ day }) => day)]
}

/** Data of a service is untrusted. */
function plausible(values: DayValues): DayValues {
  return Object.fromEntries(
    Object.entries(values).filter(([measure, one]) => isMeasure(measure) && isPlausible(measure, one.value)),
  )
}

/** `2026-10`, `2026-11` */
function monthsFrom(from: string, to: string): readonly string[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  const count = (Number(to.slice(0, 4)) - year) * 12 + Number(to.slice(5, 7)) - month + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    new Date(Date.UTC(year, month - 1 + at)).toISOString().slice(0, 7),
  )
}

function within({ month, days, workouts }: HealthMonth, from: string, to: string): HealthMonth {
  const isIn = (day: string): boolean => day >= from && day <= to
  return {
    month,
    days: Object.fromEntries(Object.entries(days).filter(([day]) => isIn(day))),
    workouts: workouts.filter(({ day }) => isIn(day)),
  }
}
