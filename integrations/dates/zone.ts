/**
 * Converts civil days of an IANA time zone to instants and back, with the offset of that date. Must not parse text or read a
 * clock. Called by the message extractor and the rules model.
 */

/** Milliseconds. */
export const MINUTE = 60_000
export const DAY = 86_400_000

export interface Zone {
  /** Instant `minutes` after the midnight that starts civil day `day` (days since 1970-01-01). */
  instantOf(day: number, minutes: number): number
  /** Civil day of an instant. */
  dayOf(instant: number): number
  /** Local time at an instant, in milliseconds as if it were UTC. */
  wallOf(instant: number): number
  /** `2026-11-27T13:00:00+01:00`. */
  iso(instant: number): string
  /** Whether people there write `4/12` for 12 April. */
  readonly monthFirst: boolean
}

/** Zones of the countries that write the month first: the United States, its territories and the Philippines. */
const MONTH_FIRST =
  /^(?:US\/|America\/(?:Adak|Anchorage|Boise|Chicago|Denver|Detroit|Indiana\/|Juneau|Kentucky\/|Los_Angeles|Menominee|Metlakatla|New_York|Nome|North_Dakota\/|Phoenix|Puerto_Rico|Sitka|Yakutat)|Pacific\/(?:Guam|Honolulu|Pago_Pago|Saipan)|Asia\/Manila)/

/** An unknown zone is treated as UTC, so that no message is lost because of a wrong setting. */
export function createZone(timezone: string): Zone {
  const clock = clockOf(timezone)
  // Cached, because most calls ask for the same instant again.
  let last = { instant: Number.NaN, wall: Number.NaN }
  const wallOf = (instant: number): number => {
    if (instant !== last.instant) last = { instant, wall: wallTime(clock, instant) }
    return last.wall
  }
  const instantOf = (day: number, minutes: number): number =>
    toInstant(day * DAY + minutes * MINUTE, (instant) => wallOf(instant) - instant)
  return {
    instantOf,
    wallOf,
    dayOf: (instant) => Math.floor(wallOf(instant) / DAY),
    iso: (instant) => isoOf(instant, wallOf(instant) - instant),
    monthFirst: MONTH_FIRST.test(timezone),
  }
}

/**
 * Tries the offsets of the day before and after. A local time that a clock change skips moves forward by the gap; one that
 * occurs twice means the first.
 */
function toInstant(wall: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(wall - DAY)
  if (offsetAt(wall - before) === before) return wall - before
  const after = offsetAt(wall + DAY)
  return offsetAt(wall - after) === after ? wall - after : wall - before
}

/** Cached clocks: creating one costs more than an extraction, and an owner has one time zone. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>()
/** Maximum cached zones, so that a configuration cannot fill the memory. */
const MAX_CLOCKS = 16

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = CLOCKS.get(timezone)
  if (known !== undefined) return known
  const made = makeClock(timezone)
  if (CLOCKS.size >= MAX_CLOCKS) CLOCKS.clear()
  CLOCKS.set(timezone, made)
  return made
}

function makeClock(timezone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...parts, ...time, timeZone: timezone })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...parts, ...time, timeZone: 'UTC' })
  }
}

/** Local time as if it were UTC. */
function wallTime(clock: Intl.DateTimeFormat, instant: number): number {
  const read = new Map(clock.formatToParts(instant).map((part) => [part.type, Number(part.value)]))
  const of = (type: Intl.DateTimeFormatPartTypes): number => read.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

function isoOf(instant: number, offset: number): string {
  const minutes = Math.round(offset / MINUTE)
  const wall = new Date(instant + minutes * MINUTE).toISOString().slice(0, 19)
  const size = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${wall}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
