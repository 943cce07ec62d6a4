/**
 * Converts a new time or end for one occurrence of a series to a change of the whole series: the offset of its time of day, its
 * length, and its last day. The day of each occurrence stays. Pure; must not know a service or its format. Called by whole.ts,
 * change.ts and home's backends.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { createZone, DAY } from '../../dates/zone.ts'
import type { Times } from './rule.ts'

/** Maximum years from the named occurrence to the last day, as for a new series. */
const MOST_YEARS = 10
/** Length of a date without a time, in characters. */
const CLOCKLESS = 10

export interface Shift {
  /** Offset in milliseconds of local time in the series' zone; 0: its time of day stays. */
  readonly by: number
  /** New length in milliseconds; null: unchanged. */
  readonly length: number | null
  /** New last day, days since 1970-01-01; null: unchanged. */
  readonly last: number | null
  /** New times of the named occurrence; null if only the end changes. */
  readonly after: Times | null
}

export interface Clocks {
  /** IANA zones of the owner and of the series. */
  readonly owner: string
  readonly series: string
}

/**
 * `named`: times of the named occurrence by the rule. Refusals: series_whole for a change of day, series_unfit for an end,
 * tool_arguments_invalid.
 */
export function shiftOf(
  args: { readonly [name: string]: Json },
  named: Times,
  clocks: Clocks,
): Result<Shift> {
  const after = timesAfter(args, named)
  if (!after.ok) return after
  const last = args['until'] === undefined ? null : dayOf(String(args['until']), clocks.owner)
  const now = dayOf(named.from, clocks.owner)
  if (last !== null && !(last - now <= MOST_YEARS * 366)) return err('series_unfit', { rule: 'until' })
  if (after.value === null) return ok({ by: 0, length: null, last, after: null })
  const { from, to } = after.value
  const length = args['to'] === undefined ? null : Date.parse(to) - Date.parse(from)
  const isDay = [from, named.from].map((one) => one.length === CLOCKLESS)
  if (isDay[0] !== isDay[1]) return err('series_whole')
  const zone = createZone(clocks.series)
  const [was, then] = [Date.parse(named.from), Date.parse(from)]
  const by = isDay[0] === true ? then - was : zone.wallOf(then) - zone.wallOf(was)
  // A change of day would make the rule disagree with the first occurrence.
  const stays =
    isDay[0] === true ? by === 0 : zone.dayOf(was) === zone.dayOf(then) && dayOf(from, clocks.owner) === now
  return stays ? ok({ by, length, last, after: { from, to } }) : err('series_whole')
}

/** A new start alone moves the event; a new end alone changes its length. */
export function timesAfter(args: { readonly [name: string]: Json }, before: Times): Result<Times | null> {
  const [from, to] = [args['from'], args['to']]
  if (from === undefined && to === undefined) return ok(null)
  const start = String(from ?? before.from)
  const moved = Date.parse(start) + (Date.parse(before.to) - Date.parse(before.from))
  const isDay = start.length === CLOCKLESS && before.from.length === CLOCKLESS
  const kept = Number.isNaN(moved)
    ? ''
    : new Date(moved).toISOString().slice(0, isDay ? CLOCKLESS : undefined)
  const end = to === undefined ? kept : String(to)
  if (!(Date.parse(start) < Date.parse(end))) return err('tool_arguments_invalid', { rule: 'from_before_to' })
  // Both must be dates, or both times.
  if ((start.length === CLOCKLESS) !== (end.length === CLOCKLESS))
    return err('tool_arguments_invalid', { rule: 'days_or_times' })
  return ok({ from: start, to: end })
}

/** Days since 1970-01-01 for a date or an instant; NaN for anything else. */
export function dayOf(text: string, timezone: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return at
  return text.length === CLOCKLESS ? at / DAY : createZone(timezone).dayOf(at)
}

/** Whether a write to the whole series sets a new time or end. */
export function isOfWhole(args: { readonly [name: string]: Json }): boolean {
  return ['from', 'to', 'until'].some((name) => args[name] !== undefined)
}
