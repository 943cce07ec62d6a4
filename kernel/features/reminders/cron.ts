/**
 * Cron strings of five fields, such as `0 8 * * 1-5` (crontab(5)): which days and times they mean. Pure; `croner` is the oracle of its test, as
 * the kernel imports no library for it. Called by repeat.ts, and where a job is set.
 */

/** UTF-16 units: every value of every field named one by one stays far below it. */
const LONGEST = 300
const DAY_MINUTES = 1_440
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** Of a leap year. */
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export interface Cron {
  /** Minutes after midnight, rising. */
  readonly times: readonly number[]
  /** Null for every day of the month. */
  readonly dates: readonly number[] | null
  /** 1 to 12; null for every month. */
  readonly months: readonly number[] | null
  /** 0 is Sunday; null for every day of the week. */
  readonly weekdays: readonly number[] | null
}

/** Null for a text that is no cron string, and for one that never comes. */
export function parseCron(text: string): Cron | null {
  const fields = text.trim().toLowerCase().split(/\s+/)
  const [minute, hour, date, month, weekday] = fields
  if (text.length > LONGEST || fields.length !== 5 || weekday === undefined) return null
  const minutes = valuesOf(minute, { from: 0, to: 59 })
  const hours = valuesOf(hour, { from: 0, to: 23 })
  const dates = valuesOf(date, { from: 1, to: 31 })
  const months = valuesOf(month, { from: 1, to: 12, names: MONTHS })
  const weekdays = valuesOf(weekday, { from: 0, to: 7, names: DAYS })
  if (minutes === null || hours === null || dates === null || months === null || weekdays === null)
    return null
  const isReal = months.some((one) => (dates[0] ?? 0) <= (DAYS_OF_MONTH[one - 1] ?? 0))
  if (!isReal && weekday === '*') return null
  return {
    times: hours.flatMap((one) => minutes.map((at) => one * 60 + at)),
    dates: date === '*' ? null : dates,
    months: month === '*' ? null : months,
    // Sunday is 0 and 7.
    weekdays: weekday === '*' ? null : [...new Set(weekdays.map((one) => one % 7))].toSorted((a, b) => a - b),
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly names?: readonly string[]
}

/** `*`, `5`, `1-5`, `mon-fri`, each with `/2`, and lists of them: rising, each once. Null for anything else. */
function valuesOf(field: string | undefined, range: Range): readonly number[] | null {
  const found = new Set<number>()
  for (const part of (field ?? '').split(',')) {
    const { first = '', last, step = '1' } = PART.exec(part)?.groups ?? {}
    const every = Number(step)
    const from = first === '*' ? range.from : oneOf(first, range)
    // `5/15` goes on to the end, as in most crons.
    const open = first === '*' || /\//.test(part) ? range.to : from
    const to = last === undefined ? open : oneOf(last, range)
    if (from === null || to === null || to < from || every < 1) return null
    for (let value = from; value <= to; value += every) found.add(value)
  }
  return found.size === 0 ? null : [...found].toSorted((a, b) => a - b)
}

const PART = /^(?<first>\*|\d{1,2}|[a-z]{3})(?:-(?<last>\d{1,2}|[a-z]{3}))?(?:\/(?<step>\d{1,2}))?$/

function oneOf(word: string, { from, to, names = [] }: Range): number | null {
  const named = names.indexOf(word)
  const value = named >= 0 ? named + (names === MONTHS ? 1 : 0) : /^\d+$/.test(word) ? Number(word) : -1
  return value >= from && value <= to ? value : null
}

/** Whether it comes on the day that begins at `wall`, a local midnight as if it were UTC. Where both kinds of days are named, either counts. */
export function isCronDay({ dates, months, weekdays }: Cron, wall: number): boolean {
  const day = new Date(wall)
  if (months?.includes(day.getUTCMonth() + 1) === false) return false
  const onDate = dates?.includes(day.getUTCDate()) ?? false
  const onWeekday = weekdays?.includes(day.getUTCDay()) ?? false
  return (dates === null && weekdays === null) || onDate || onWeekday
}

/** Minutes between the two of its times that lie nearest, over midnight too; a day where it has one. */
export function leastGap({ times }: Cron): number {
  const gaps = times.map((time, nth) => (times[nth + 1] ?? DAY_MINUTES + (times[0] ?? 0)) - time)
  return Math.min(DAY_MINUTES, ...gaps)
}
