/**
 * Retention of backups (E-15): keeps the newest of each of the last seven days that have one, and of older ones the
 * newest of each of the last four weeks. Keeps a few of the latest day, so that a manual one does not displace that
 * night's. Pure: names in, names out. Must not delete. Called by shelf.ts.
 */

const DAYS = 7
const WEEKS = 4
/** Backups kept of the newest day. Bounds what repeated `pfar backup now` can fill. */
const LAST_DAY = 4
const MILLISECONDS_PER_DAY = 86_400_000
/** 1970-01-01 was a Thursday: the offset makes weeks start on Monday. */
const MONDAY_OFFSET = 3

/** `2026-11-22`, or `2026-11-22-2` for the second of that day. */
const NAME = /^(\d{4}-\d{2}-\d{2})(?:-([2-9]|[1-9]\d{1,3}))?$/

export function isBackupName(name: string): boolean {
  const date = NAME.exec(name)?.[1]
  return date !== undefined && !Number.isNaN(Date.parse(date))
}

/** `YYYY-MM-DD` in the owner's time zone. */
export function dayOf(now: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now)
}

/** The local day of a backup, `YYYY-MM-DD`. */
export function dayOfName(name: string): string {
  return name.slice(0, 10)
}

/** Newest first. Days without a backup do not count, so a home that was off for a month loses none. */
export function byAge(names: readonly string[]): readonly string[] {
  return names.filter(isBackupName).toSorted((a, b) => key(b).localeCompare(key(a)))
}

/** Name for another backup of `day`, numbered above all existing ones: reusing a freed number would sort as older. */
export function nextName(names: readonly string[], day: string): string {
  const newest = byAge(names).find((name) => dayOfName(name) === day)
  return newest === undefined ? day : `${day}-${Number(newest.slice(day.length + 1) || '1') + 1}`
}

/** The names to keep; the others may be deleted. */
export function toKeep(names: readonly string[]): ReadonlySet<string> {
  const all = byAge(names)
  const lastDay = all.filter((name) => dayOfName(name) === dayOfName(all[0] ?? '')).slice(0, LAST_DAY)
  const daily = newestOfEach(all, dayOfName)
  const weekly = newestOfEach(daily.slice(DAYS), weekOf).slice(0, WEEKS)
  return new Set([...lastDay, ...daily.slice(0, DAYS), ...weekly])
}

function newestOfEach(names: readonly string[], period: (name: string) => string): readonly string[] {
  const seen = new Set<string>()
  return names.filter((name) => {
    const key = period(name)
    return seen.has(key) ? false : seen.add(key)
  })
}

/** Number of the week, Monday to Sunday. A name is a calendar day, so daylight saving time does not matter. */
function weekOf(name: string): string {
  const day = Math.floor(Date.parse(dayOfName(name)) / MILLISECONDS_PER_DAY)
  return String(Math.floor((day + MONDAY_OFFSET) / 7))
}

function key(name: string): string {
  return `${dayOfName(name)}-${(NAME.exec(name)?.[2] ?? '1').padStart(4, '0')}`
}
