/**
 * A cron string as the plainest repetition that is the same, and days of the week as one: "every weekday" is easier to read on a card. Pure. Called
 * where a job's times are read.
 */
import { parseCron } from './cron.ts'
import { clockOf, type JobRepeat } from './repeat.ts'

const DAY = 86_400_000
/** Bits of a day of the week as repetitions count them: Monday's is 1. */
export const ALL_DAYS = 127
export const MON_TO_FRI = 31

/**
 * The same in the words that repetitions have, from the day `today` (`2026-11-27`) on; of kind `cron` where they have none. Null for a text that is
 * no cron string.
 */
export function repeatOfCron(text: string, today: string): JobRepeat | null {
  const cron = parseCron(text)
  if (cron === null) return null
  const { times, dates, months, weekdays } = cron
  const [time = 0] = times
  const on = (day: string): Pick<JobRepeat, 'first' | 'times'> => ({
    first: `${day} ${clockOf(time)}`,
    ...(times.length > 1 && { times }),
  })
  const [date] = dates ?? []
  if (months === null && dates === null)
    return daysFrom(
      weekdays === null ? ALL_DAYS : weekdays.reduce((bits, day) => bits | bitOf(day), 0),
      today,
      on,
    )
  // A later date is none of every month.
  if (months === null && weekdays === null && dates?.length === 1 && date !== undefined && date <= 28)
    return { kind: 'monthly', every: 1, ...on(nextDate(today, (day) => day.getUTCDate() === date)) }
  return { kind: 'cron', every: 1, first: `${today} ${clockOf(time)}`, cron: text.trim().toLowerCase() }
}

/** Days of the week, a bit each, as the repetition that has a word of its own. */
export function daysFrom(
  bits: number,
  today: string,
  on: (day: string) => Pick<JobRepeat, 'first' | 'times'>,
): JobRepeat {
  if (bits === ALL_DAYS) return { kind: 'daily', every: 1, ...on(today) }
  if (bits === MON_TO_FRI) return { kind: 'weekdays', every: 1, ...on(today) }
  const isOne = (bits & (bits - 1)) === 0
  if (isOne)
    return { kind: 'weekly', every: 1, ...on(nextDate(today, (day) => bitOf(day.getUTCDay()) === bits)) }
  return { kind: 'on_days', every: bits, ...on(today) }
}

/** 0 is Sunday. */
export function bitOf(weekday: number): number {
  return 1 << ((weekday + 6) % 7)
}

function nextDate(today: string, isIt: (day: Date) => boolean): string {
  const start = Date.parse(today)
  const ahead = Array.from({ length: 31 }, (_, after) => new Date(start + after * DAY))
  return (ahead.find(isIt) ?? new Date(start)).toISOString().slice(0, 10)
}
