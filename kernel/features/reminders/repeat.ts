/**
 * Repetitions (DESIGN §9): the next occurrence after an instant. A repetition keeps its time of day on the owner's clocks, across
 * changes of the clocks and of the zone. Pure. Called when a reminder is set and when one was delivered.
 */
import { localMoment } from '../../wording/output.ts'
import { isCronDay, parseCron } from './cron.ts'

export const SIMPLE_REPEATS = Object.freeze([
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'monthly_weekday',
] as const)
export const REPEATS = Object.freeze([...SIMPLE_REPEATS, 'on_days', 'month_end', 'last_weekday'] as const)
/** Of a change: no repetition any more. */
export const ONCE = 'once'
export type RepeatKind = (typeof REPEATS)[number]
/** A job may also come every so many minutes, once, at its first time, or by a cron string. */
export const JOB_REPEATS = Object.freeze([...REPEATS, 'minutes', 'once', 'cron'] as const)
export type JobRepeatKind = (typeof JOB_REPEATS)[number]

export interface Repeat<Kind = RepeatKind> {
  readonly kind: Kind
  /** Every so many days, weeks or months; 1 unless the owner said otherwise; a year is twelve months. Of `on_days` the days of the week: a bit each, Monday's is 1. */
  readonly every: number
  /** Local time of the first occurrence, `2026-11-27 13:00`: it gives the time of day, weekday and day of month. */
  readonly first: string
  /** It ends when the owner says that it is done; else that is said of one occurrence alone. */
  readonly until?: 'done'
  /** Local day after which there is none, `2026-12-24`; absent where it has no end. */
  readonly last?: string
}

/** What ends it, which a change of its times keeps. */
export function endOf({ until, last }: Pick<Repeat, 'until' | 'last'>): Pick<Repeat, 'until' | 'last'> {
  return { ...(until !== undefined && { until }), ...(last !== undefined && { last }) }
}

/** `every` of `minutes` is a number of minutes, counted from the first time over every change of the clocks. */
export interface JobRepeat extends Repeat<JobRepeatKind> {
  /** Several times of each day, minutes after midnight, rising; the first one is that of `first`. Never of `minutes`. */
  readonly times?: readonly number[]
  /** Of `cron` alone: five fields, as `parseCron` reads them. */
  readonly cron?: string
}

/** Most of `every`: a year of weeks, or all days of a week. */
const MOST = { count: 52, days: 127 } as const

export function isEvery(kind: RepeatKind, every: unknown): every is number {
  const most = kind === 'on_days' ? MOST.days : MOST.count
  return typeof every === 'number' && Number.isInteger(every) && every >= 1 && every <= most
}

const MINUTE = 60_000
const DAY = 86_400_000

/** By which unit people call it, and how many: twelve months are a year. */
export function spokenRepeat<Kind extends string>(
  kind: Kind,
  every: number,
): { readonly unit: Kind | 'yearly'; readonly every: number } {
  return kind === 'monthly' && every % 12 === 0
    ? { unit: 'yearly', every: every / 12 }
    : { unit: kind, every }
}

export function repeatFrom(kind: RepeatKind, every: number, due: number, timezone: string): Repeat {
  return { kind, every, first: localMoment(due, timezone) }
}

/** Epoch milliseconds of the first occurrence after `after`; infinite where there is none. */
export function nextOccurrence(repeat: JobRepeat, after: number, timezone: string): number {
  const at = nextOfRule(repeat, after, timezone)
  const { last } = repeat
  return last === undefined || (Number.isFinite(at) && localMoment(at, timezone).slice(0, 10) <= last)
    ? at
    : Infinity
}

function nextOfRule(repeat: JobRepeat, after: number, timezone: string): number {
  const { kind, every, first, times } = repeat
  if (kind === 'once') {
    const only = instantOfLocal(first, timezone)
    return after < only ? only : Infinity
  }
  if (kind === 'minutes') {
    const start = instantOfLocal(first, timezone)
    return after < start
      ? start
      : start + (Math.floor((after - start) / (every * MINUTE)) + 1) * every * MINUTE
  }
  if (kind === 'cron') {
    const cron = parseCron(repeat.cron ?? '')
    if (cron === null) return Infinity
    const isOn = (wall: number): boolean => isCronDay(cron, wall)
    const last = cron.times.at(-1) ?? 0
    const day = (from: number): number => nextDayThat(isOn, last, { after: from, timezone })
    return nextOfDay(day, cron.times, { after, timezone })
  }
  if (times === undefined) return nextDay({ kind, every, first }, after, timezone)
  const [day = ''] = first.split(' ')
  const ofLast = { kind, every, first: `${day} ${clockOf(times.at(-1) ?? 0)}` }
  return nextOfDay((from) => nextDay(ofLast, from, timezone), times, { after, timezone })
}

interface After {
  readonly after: number
  readonly timezone: string
}

/** Days in which one is looked for: the 29th of February is eight years away where a century has none. */
const MOST_DAYS = 8 * 366 + 1

/** The next day of which `last`, minutes after midnight, is after `after`; that instant. */
function nextDayThat(isOn: (wall: number) => boolean, last: number, { after, timezone }: After): number {
  const today = Math.floor(wallOf(after, timezone) / DAY) * DAY
  for (let day = -1; day <= MOST_DAYS; day += 1) {
    const wall = today + day * DAY
    const at = isOn(wall) ? instantOfWall(wall + last * MINUTE, timezone) : after
    if (at > after) return at
  }
  return Infinity
}

/**
 * One of several times of a day. A day that the repetition has is found by its last time; of the times around a change of the clocks the
 * earliest instant counts, as some move on by the gap.
 */
function nextOfDay(
  nextLast: (from: number) => number,
  times: readonly number[],
  { after, timezone }: After,
): number {
  const here = wallOf(after, timezone)
  for (let from = after - GAP; ; ) {
    const reached = nextLast(from)
    if (!Number.isFinite(reached)) return reached
    const midnight = Math.floor(wallOf(reached, timezone) / DAY) * DAY
    const walls = times.map((minutes) => midnight + minutes * MINUTE).filter((wall) => wall >= here - GAP)
    const surely = walls.find((wall) => wall > here + GAP) ?? Infinity
    const near = walls.filter((wall) => wall <= surely)
    const found = Math.min(...near.map((wall) => instantOfWall(wall, timezone)).filter((at) => at > after))
    if (Number.isFinite(found)) return found
    from = reached
  }
}

/** Milliseconds: more than the clocks are ever changed by. */
const GAP = 3 * 60 * MINUTE

/** `07:30` of minutes after midnight. */
export function clockOf(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function nextDay({ kind, every, first }: Repeat, after: number, timezone: string): number {
  const start = Date.parse(`${first.replace(' ', 'T')}Z`)
  const step = kind === 'on_days' ? 1 : every
  // Somewhat before, so that no clock change can step over an occurrence.
  const near = Math.max(0, wallOf(after, timezone) - start - 2 * DAY)
  for (let n = Math.floor(near / LONGEST[kind] / step); ; n += 1) {
    const wall = occurrence(kind, start, n * step)
    if (wall === null || (kind === 'on_days' && !isOnDays(every, wall))) continue
    const at = instantOfWall(wall, timezone)
    if (at > after) return at
  }
}

/** Longest distance between two occurrences, milliseconds: what is counted from it is never too far. */
const LONGEST: Readonly<Record<RepeatKind, number>> = {
  ...{ daily: DAY, weekdays: DAY, on_days: DAY },
  ...{ weekly: 7 * DAY, monthly: 31 * DAY, monthly_weekday: 35 * DAY, month_end: 31 * DAY },
  last_weekday: 35 * DAY,
}

/** Whether a local time, as if it were UTC, is on one of these days of the week. */
export function isOnDays(days: number, wall: number): boolean {
  return (days & (1 << ((new Date(wall).getUTCDay() + 6) % 7))) !== 0
}

/** Local time, as if it were UTC, of the nth step after the first; null where the step has none. */
function occurrence(kind: RepeatKind, start: number, n: number): number | null {
  const first = new Date(start)
  const time = start % DAY
  switch (kind) {
    case 'daily':
    case 'on_days':
      return start + n * DAY
    case 'weekdays': {
      const weekday = new Date(start + n * DAY).getUTCDay()
      return weekday === 0 || weekday === 6 ? null : start + n * DAY
    }
    case 'weekly':
      return start + n * 7 * DAY
    case 'monthly': {
      const month = first.getUTCMonth() + n
      const last = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
      // The 31st of a shorter month is its last day.
      return Date.UTC(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), last)) + time
    }
    case 'month_end':
      return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n + 1, 0) + time
    case 'last_weekday': {
      const end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n + 1, 0))
      return end.getTime() - ((end.getUTCDay() - first.getUTCDay() + 7) % 7) * DAY + time
    }
    case 'monthly_weekday': {
      const nth = Math.ceil(first.getUTCDate() / 7)
      const begin = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1))
      const day = 1 + ((first.getUTCDay() - begin.getUTCDay() + 7) % 7) + (nth - 1) * 7
      const at = new Date(begin.getTime() + (day - 1) * DAY)
      // Not every month has a fifth one.
      return at.getUTCMonth() === begin.getUTCMonth() ? at.getTime() + time : null
    }
  }
}

/** Local time of an instant, as if it were UTC. */
function wallOf(at: number, timezone: string): number {
  return Date.parse(`${localMoment(at, timezone).replace(' ', 'T')}Z`)
}

/** Epoch milliseconds of a local time such as `2026-11-27 13:00`. */
export function instantOfLocal(local: string, timezone: string): number {
  return instantOfWall(Date.parse(`${local.replace(' ', 'T')}Z`), timezone)
}

/** A local time that a clock change skips moves on by the gap; one that occurs twice means the first. */
export function instantOfWall(wall: number, timezone: string): number {
  const offsetAt = (at: number): number => wallOf(at, timezone) - Math.floor(at / MINUTE) * MINUTE
  const before = offsetAt(wall - DAY)
  if (offsetAt(wall - before) === before) return wall - before
  const after = offsetAt(wall + DAY)
  return offsetAt(wall - after) === after ? wall - after : wall - before
}
