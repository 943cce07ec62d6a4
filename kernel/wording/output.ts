/**
 * The form of an answer for its sink (C-23): length, format, the person's local time. Called by every step that asks a model to
 * write.
 */

import type { OutputView } from '../prompt/parts.ts'
import { inEnglish, numberLocale } from './language.ts'
import { tell } from './words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Usual maximum length of a model's answer, UTF-16 units: the window reserves room for it. Below every messenger's own limit. */
export const USUAL_ANSWER = 3_500
/**
 * Maximum length of an answer, UTF-16 units: the longest mail with its header. A chat
 * gets it in parts, or as a file. Stops a model that does not end from filling a chat.
 */
export const MAX_ANSWER = 50_000

/** For a reader in a time zone, at an instant (epoch milliseconds). */
export function outputFor(sink: string, timezone: string, at: number): OutputView {
  return { sink, maxChars: USUAL_ANSWER, format: 'plain', timezone, now: localMinute(at, timezone) }
}

/** Hour of the day, 0 to 23, of an instant in a zone. */
export function localHour(now: number, timeZone: string): number {
  return Number(localMinute(now, timeZone).slice(11, 13))
}

/** `YYYY-MM-DD` of an instant in a zone. */
export function localDay(now: number, timeZone: string): string {
  return localMinute(now, timeZone).slice(0, 10)
}

/** `YYYY-MM-DD HH:MM` of an instant in a zone. */
export function localMoment(at: number, timeZone: string): string {
  return localMinute(at, timeZone).replace('T', ' ')
}

/** `2026-11-27T13:30-05:00`: an instant as the time of day in a zone, with that zone's offset. */
export function zonedMinute(at: number, timeZone: string): string {
  const local = localMinute(at, timeZone)
  return `${local}${offsetOf(at, local)}`
}

/** The form of instants that tools accept. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Epoch milliseconds; null for any other value or spelling. */
export function instantOf(value: unknown): number | null {
  const at = typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** `Friday 27 November, 13:00`: an instant in a zone for a person; with the year if it differs from that of `now`. */
export function namedMoment(at: number, timeZone: string, now: number): string {
  const [local, today] = [formatMinute(at, timeZone), localMinute(now, timeZone)]
  const wall = Date.parse(`${local}Z`)
  return `${dayOf(wall, today)}, ${local.slice(11)}`
}

/** `Saturday 28 November`: a day without a time, such as `2026-11-28`; with the year if it differs from that of `now`. */
export function namedDay(day: number, timeZone: string, now: number): string {
  return dayOf(day, localMinute(now, timeZone))
}

/** `wall`: a local time as if it were UTC, in milliseconds; `today` as `2026-11-27 13:00`. */
function dayOf(wall: number, today: string): string {
  const said = String(new Date(wall).getUTCFullYear())
  const year = said === today.slice(0, 4) ? '' : ` ${said}`
  const [weekday, month] = [weekdayName(wall), monthName(wall)]
  return tell('wording.date', { weekday, day: new Date(wall).getUTCDate(), month, year })
}

/** `2026-11-27 13:00`: an instant in a zone for a person, in digits. */
export function figuredMoment(at: number, timeZone: string): string {
  const local = localMinute(at, timeZone)
  const [year = '', month = '', day = ''] = local.slice(0, 10).split('-')
  return tell('wording.figures', { year, month, day, time: local.slice(11) })
}

/** `Friday`; `wall` is a local time as if it were UTC, in milliseconds. */
export function weekdayName(wall: number): string {
  return listIn('wording.weekdays')[new Date(wall).getUTCDay()] ?? ''
}

/** `November`, of such a time. */
export function monthName(wall: number): string {
  return listIn('wording.months')[new Date(wall).getUTCMonth()] ?? ''
}

function listIn(saying: 'wording.weekdays' | 'wording.months'): readonly string[] {
  return tell(saying).split(' ')
}

/** `1,234.5` in English and `1.234,5` in German. */
export function numberWords(value: number): string {
  return new Intl.NumberFormat(numberLocale()).format(value)
}

/** Without thousands separators: `1234.5`, `1234,5`. Never rounds. */
export function plainNumber(value: number): string {
  const text = String(value)
  return numberLocale() === 'en-GB' || !/^-?\d+\.\d+$/.test(text) ? text : text.replace('.', decimalMark())
}

function decimalMark(): string {
  return numberWords(0.5).charAt(1)
}

/** `a, b and c`. */
export function listed(items: readonly string[]): string {
  const [last = '', ...others] = items.toReversed()
  return others.length === 0 ? last : tell('wording.and', { first: others.toReversed().join(', '), last })
}

/**
 * Position of an instant at a change to or from summer time: `skipped` within the hour after the clocks went forward,
 * where a skipped time is moved to; `first` or `second` if two instants share its local time; otherwise null.
 */
export function clockChangeAt(at: number, timeZone: string): 'skipped' | 'first' | 'second' | null {
  const wall = (instant: number): number => Date.parse(`${localMinute(instant, timeZone)}Z`)
  if (wall(at) - wall(at - HOUR) === 2 * HOUR) return 'skipped'
  if (wall(at + HOUR) === wall(at)) return 'first'
  return wall(at - HOUR) === wall(at) ? 'second' : null
}

/** `Monday, Wednesday and Friday`, from a bit mask in which Monday is 1. */
export function weekdayNames(days: number): string {
  const week = listIn('wording.weekdays')
  const names = [...week.slice(1), ...week.slice(0, 1)].filter((_, at) => (days & (1 << at)) !== 0)
  return listed(names)
}

/**
 * `Monday 2026-11-23 17:44 -05:00 America/New_York`, from a local time such as
 * `OutputView.now`. For models, therefore in English.
 */
export function clockLine(local: string, timeZone: string): string {
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall)) return local
  // Taking the wall time as UTC gives the right offset except near a change of the clocks; a second step from there is right.
  const guess = wall - (Date.parse(`${formatMinute(wall, timeZone)}Z`) - wall)
  const day = inEnglish(() => weekdayName(wall))
  return `${day} ${local.replace('T', ' ')} ${offsetOf(guess, formatMinute(guess, timeZone))} ${timeZone}`
}

function offsetOf(at: number, local: string): string {
  const minutes = Math.round((Date.parse(`${local}Z`) - Math.floor(at / MINUTE) * MINUTE) / MINUTE)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** Cached formatters: creating one costs more than the rest of an answer's layout, and an owner has one time zone. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATTERS = 16

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  })
  if (FORMATTERS.size >= MAX_FORMATTERS) FORMATTERS.clear()
  FORMATTERS.set(timeZone, made)
  return made
}

/** The last formatted minute: with many messages at once the next request is nearly always for the same one. */
let latest = { minute: Number.NaN, timeZone: '', text: '' }

/** `YYYY-MM-DDTHH:MM` of an instant in a zone. */
function localMinute(now: number, timeZone: string): string {
  const minute = Math.floor(now / MINUTE)
  if (latest.minute !== minute || latest.timeZone !== timeZone)
    latest = { minute, timeZone, text: formatMinute(now, timeZone) }
  return latest.text
}

/** Uncached variant, for times that occur once, such as those of a result. */
export function formatMinute(now: number, timeZone: string): string {
  const parts = formatterFor(timeZone).formatToParts(now)
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}
