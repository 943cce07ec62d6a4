/** Days and wall-clock times in a time zone, for the demo's calendar and the bench's. Pure. Called by seed.ts and by bench/. */
const DAY_MS = 86_400_000

/**
 * `YYYY-MM-DD` in the zone, `offset` days after `now` (epoch milliseconds). Computed at noon, so that daylight saving
 * time cannot skip a day.
 */
export function dayAfter(now: number, offset: number, timezone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(now)
  return new Date(Date.parse(`${today}T12:00:00Z`) + offset * DAY_MS).toISOString().slice(0, 10)
}

/** Days from `now` to the next `weekday` (0 Sunday … 6 Saturday); 0 if it is today. */
export function daysUntil(now: number, weekday: number, timezone: string): number {
  const today = new Date(`${dayAfter(now, 0, timezone)}T12:00:00Z`).getUTCDay()
  return (weekday - today + 7) % 7
}

/** RFC 3339 with the zone's offset, for the local `time` (`HH:MM`) on that day. */
export function wallTime(day: string, time: string, timezone: string): string {
  const guess = Date.parse(`${day}T${time}:00Z`)
  // Offset at the local time itself: near a change of daylight saving time, the first estimate may be on the other
  // side of it.
  const offset = offsetAt(guess - offsetMinutes(offsetAt(guess, timezone)) * 60_000, timezone)
  return `${day}T${time}:00${offset}`
}

/** Such as `+02:00`, at `at` (epoch milliseconds). */
function offsetAt(at: number, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
  }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length) ?? ''
  return /^[+-]\d{2}:\d{2}$/.test(name) ? name : '+00:00'
}

function offsetMinutes(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
