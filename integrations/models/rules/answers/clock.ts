/**
 * Days and times in words, on the wall clock of the reader's time zone. "Now" comes from the prompt; there is no other clock. Must
 * not know what happens at those times. Called by the renderers of the rules model.
 */

import type { OutputView } from '../../../../kernel/prompt/parts.ts'
import { weekdayName } from '../../../../kernel/wording/output.ts'
import { tell } from '../../../../kernel/wording/words.ts'
import { createZone, DAY, MINUTE } from '../../../dates/zone.ts'

/** Length of a date without a time of day. */
const DATE_ONLY = 10
const WEEK = 7

/** All values are wall-clock milliseconds: the local time, as if it were UTC. */
export interface Clock {
  readonly now: number
  /** Wall time of an ISO date; null for invalid input. A date without time is its midnight. */
  read(iso: string): number | null
}

export function createClock(output: OutputView): Clock {
  const zone = createZone(output.timezone)
  return {
    now: Date.parse(`${output.now}:00Z`),
    read: (iso) => {
      const instant = Date.parse(iso)
      if (Number.isNaN(instant)) return null
      return iso.length === DATE_ONLY ? instant : zone.wallOf(instant)
    },
  }
}

export function dayOf(wall: number): number {
  return Math.floor(wall / DAY)
}

export function midnight(day: number): number {
  return day * DAY
}

/** `13:05`; the end of a day is `24:00`, not the start of the next one. */
export function time(wall: number, ofDay = dayOf(wall)): string {
  const minutes = Math.round((wall - midnight(ofDay)) / MINUTE)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** `Fri 27 Nov`, with the year if it is not the current one. */
export function date(day: number, now: number): string {
  const at = new Date(midnight(day))
  const year = at.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`
  const weekday = nth('rules.days', at.getUTCDay())
  const month = nth('rules.months', at.getUTCMonth())
  return tell('wording.date', { weekday, day: at.getUTCDate(), month, year })
}

/** `Mon 23 Nov (tomorrow)`. */
export function dateAndName(day: number, now: number): string {
  const name = nameOf(day, now)
  return name === null ? date(day, now) : tell('rules.date_named', { date: date(day, now), name })
}

/** Start of a sentence: `Today`, `On Friday`, `On Fri 4 Dec`. */
export function onDay(day: number, now: number): string {
  const name = nameOf(day, now)
  if (name !== null) return name.charAt(0).toUpperCase() + name.slice(1)
  const ahead = day - dayOf(now)
  const isNear = ahead > 0 && ahead < WEEK
  return tell('rules.on_day', { day: isNear ? weekdayName(midnight(day)) : date(day, now) })
}

/** `today 09:12`, `Fri 20 Nov, 09:12`. */
export function moment(wall: number, now: number): string {
  const name = nameOf(dayOf(wall), now)
  if (name === null) return `${date(dayOf(wall), now)}, ${time(wall)}`
  return tell('rules.moment_named', { name, time: time(wall) })
}

/** `Fri 27 Nov, 13:00–14:00`, `Fri 27 Nov, all day`, `Mon 23 Nov – Wed 25 Nov`. */
export function range(from: number, to: number, now: number): string {
  const first = dayOf(from)
  const last = lastDayOf(from, to)
  const whole = from === midnight(first) && to === midnight(last + 1)
  if (whole && first === last) return tell('rules.all_day', { date: date(first, now) })
  if (whole) return `${date(first, now)} – ${date(last, now)}`
  if (first === last) return `${date(first, now)}, ${time(from)}–${time(to, first)}`
  return `${date(first, now)}, ${time(from)} – ${date(dayOf(to), now)}, ${time(to)}`
}

/** Within which days: `today`, `today 15:00`, `on Fri 27 Nov`, `on Fri 27 Nov, 13:00–14:00`, `between today and Sun 20 Dec`. */
export function within(from: number, to: number, now: number): string {
  const [first, last] = [dayOf(from), lastDayOf(from, to)]
  const said = (day: number): string => nameOf(day, now) ?? date(day, now)
  if (first !== last) return tell('rules.between_days', { from: said(first), to: said(last) })
  const isWhole = from === midnight(first) && to === midnight(first + 1)
  const named = nameOf(first, now)
  if (isWhole) return named ?? tell('rules.within_day', { day: date(first, now) })
  if (to - from <= MINUTE)
    return named === null ? tell('rules.within_day', { day: moment(from, now) }) : moment(from, now)
  return tell('rules.within_day', { day: range(from, to, now) })
}

/** Last day of a span with an exclusive end. */
export function lastDayOf(from: number, to: number): number {
  return Math.max(dayOf(from), dayOf(to - 1))
}

function nameOf(day: number, now: number): string | null {
  switch (day - dayOf(now)) {
    case -1:
      return tell('rules.yesterday')
    case 0:
      return tell('rules.today')
    case 1:
      return tell('rules.tomorrow')
    default:
      return null
  }
}

function nth(names: 'rules.days' | 'rules.months', at: number): string {
  return tell(names).split(' ')[at] ?? ''
}
