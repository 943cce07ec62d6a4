/**
 * Wall clocks of an IANA time zone: civil days to instants and back, by the offset that holds at that very date.
 * Must not parse text or read a clock. Called by the message extractor and the rules model.
 */

/** Milliseconds. */
export const MINUTE = 60_000
export const DAY = 86_400_000

export interface Zone {
  /** Instant of `minutes` after the midnight that starts civil day `day` (days since 1970-01-01). */
  instantOf(day: number, minutes: number): number
  /** Civil day of an instant. */
  dayOf(instant: number): number
  /** Reading of the wall clock at an instant, as milliseconds of a clock that were UTC. */
  wallOf(instant: number): number
  /** `2026-11-27T13:00:00+01:00`. */
  iso(instant: number): string
}

/** An unknown zone is read as UTC: a message is never lost for a misspelt setting. */
export function createZone(timezone: string): Zone {
  const clock = clockOf(timezone)
  const wallOf = (instant: number): number => wallTime(clock, instant)
  const instantOf = (day: number, minutes: number): number =>
    toInstant(day * DAY + minutes * MINUTE, (instant) => wallOf(instant) - instant)
  return {
    instantOf,
    wallOf,
    dayOf: (instant) => Math.floor(wallOf(instant) / DAY),
    iso: (instant) => isoOf(instant, wallOf(instant) - instant),
  }
}

/**
 * The two offsets around a wall time are those of the day before and after it. A time that a change skips moves
 * on by the gap; one that happens twice means the first.
 */
function toInstant(wall: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(wall - DAY)
  if (offsetAt(wall - before) === before) return wall - before
  const after = offsetAt(wall + DAY)
  return offsetAt(wall - after) === after ? wall - after : wall - before
}

/** Clocks made so far: making one costs more than an extraction, and an owner has one time zone. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>()
/** A stranger's configuration cannot fill the memory with zones. */
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

/** The wall clock's reading, as if it were UTC. */
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
