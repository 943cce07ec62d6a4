/**
 * Repetitions (DESIGN §9): the next occurrence after an instant. A repetition keeps its time of day on the owner's clocks, across
 * changes of the clocks and of the zone. Pure. Called when a reminder is set and when one was delivered.
 */
import { localMoment } from '../../wording/output.ts'

export const SIMPLE_REPEATS = Object.freeze([
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'monthly_weekday',
] as const)
export const REPEATS = Object.freeze([...SIMPLE_REPEATS, 'on_days'] as const)
export type RepeatKind = (typeof REPEATS)[number]

export interface Repeat {
  readonly kind: RepeatKind
  /** Every so many days, weeks or months; 1 unless the owner said otherwise. Of `on_days` the days of the week: a bit each, Monday's is 1. */
  readonly every: number
  /** Local time of the first occurrence, `2026-11-27 13:00`: it gives the time of day, weekday and day of month. */
  readonly first: string
}

/** Most of `every`: a year of weeks, or all days of a week. */
const MOST = { count: 52, days: 127 } as const

export function isEvery(kind: RepeatKind, every: unknown): every is number {
  const most = kind === 'on_days' ? MOST.days : MOST.count
  return typeof every === 'number' && Number.isInteger(every) && every >= 1 && every <= most
}

const MINUTE = 60_000
const DAY = 86_400_000

export function repeatFrom(kind: RepeatKind, every: number, due: number, timezone: string): Repeat {
  return { kind, every, first: localMoment(due, timezone) }
}

/** Epoch milliseconds of the first occurrence after `after`. */
export function nextOccurrence({ kind, every, first }: Repeat, after: number, timezone: string): number {
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
  ...{ weekly: 7 * DAY, monthly: 31 * DAY, monthly_weekday: 35 * DAY },
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
