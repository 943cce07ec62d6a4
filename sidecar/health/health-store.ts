/**
 * The owner's health data at rest: a month of an export is one sealed row, bound to the label `regulated:health`, so that it opens at home alone. Must not
 * show a value to anybody but the health tool, nor keep one in memory. Called by home-tools.ts, health-methods.ts and the operation that forgets.
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
/** Records of a month: each day once, and a workout every few minutes. */
const MOST = { days: 31, workouts: 10_000 } as const

export const monthSchema = z.strictObject({
  month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
  days: z
    .record(date, z.partialRecord(z.enum(MEASURES), value))
    .check(z.refine((days) => Object.keys(days).length <= MOST.days)),
  workouts: z.array(workout).check(z.maxLength(MOST.workouts)),
})

export interface HealthStore extends HealthPort, HealthKeeper {
  /** Replaces what was kept of these months, from the same source. */
  keep(source: HealthSource, months: readonly HealthMonth[]): Promise<void>
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
  /** Of the last month of these rows, which may be of several sources. */
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
  const keep: HealthStore['keep'] = async (source, months) => {
    const at = now()
    const sealed: HealthRow[] = []
    for (const month of months) {
      const row = { source, month: month.month, at, label: LABEL }
      const text = new TextEncoder().encode(JSON.stringify(month))
      sealed.push({ ...row, bytes: await sealer.seal(addressOf(row), text) })
    }
    rows.put(sealed)
  }
  return {
    today: () => dateIn(timezone, now()),
    async through() {
      const known = rows.months()
      if (known.length === 0) return err('health_none')
      return lastDayOf(known)
    },
    read,
    keep,
    dayAt: (at) => dateIn(timezone, at),
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
    async replace(source, { from, to }, days) {
      const months: HealthMonth[] = []
      const put = Object.entries(days)
        .filter(([day]) => DATE.test(day) && day >= from && day <= to)
        .map(([day, values]) => [day, plausible(values)] as const)
        .filter(([, values]) => Object.keys(values).length > 0)
      let fresh = 0
      for (const month of monthsFrom(from, to)) {
        const isKept = rows.get(source, month) !== null
        const before = isKept ? await open({ source, month }) : ok({ month, days: {}, workouts: [] })
        if (!before.ok) return before
        const others = Object.entries(before.value.days).filter(([day]) => day < from || day > to)
        const own = put.filter(([day]) => day.startsWith(month))
        fresh += own.filter(([day]) => !Object.hasOwn(before.value.days, day)).length
        if (isKept || own.length > 0)
          months.push({ ...before.value, days: Object.fromEntries([...others, ...own]) })
      }
      await keep(source, months)
      return ok({ days: put.map(([day]) => day).sort(), fresh })
    },
    forget: () => rows.clear(),
  }
}

/** A row of another month, of another kind or under another label does not open. */
function addressOf({ source, month, label }: Pick<HealthRow, 'source' | 'month' | 'label'>): SealAddress {
  const record = `health:${source}:${month}`
  return { store: 'memory', principal: OWNER_PRINCIPAL, record, label, version: 1 }
}

function daysOf({ days, workouts }: HealthMonth): readonly string[] {
  return [...Object.keys(days), ...workouts.map(({ day }) => day)]
}

/** A service says what it likes. */
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

function dateIn(timezone: string, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at)
}
