/**
 * What a new time or another end of one time of a series means for all of it: by how much the clock is moved, how long each is, which day is the last. The day of
 * each stays. Pure; must not know a service or its format. Called by whole.ts, change.ts and home's backends.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { createZone, DAY } from '../../dates/zone.ts'
import type { Times } from './rule.ts'

/** Years from the named time to the last day, as of a new series. */
const MOST_YEARS = 10
/** Length of a date without a time. */
const CLOCKLESS = 10

export interface Shift {
  /** Milliseconds on the clock of the series; 0: its time of day stays. */
  readonly by: number
  /** Milliseconds; null: as long as it was. */
  readonly length: number | null
  /** Days since 1970-01-01; null: its end stays. */
  readonly last: number | null
  /** When the named time of it is then; null where only the end is another one. */
  readonly after: Times | null
}

export interface Clocks {
  /** IANA names: of the owner, and of the series. */
  readonly owner: string
  readonly series: string
}

/** `named`: when the time that was named is by the rule. Refusals: series_whole for another day, series_unfit for an end, tool_arguments_invalid. */
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
  // On another day its rule would say one thing and its first time another.
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
  // Whole days or times of day, not one of each.
  if ((start.length === CLOCKLESS) !== (end.length === CLOCKLESS))
    return err('tool_arguments_invalid', { rule: 'days_or_times' })
  return ok({ from: start, to: end })
}

/** Days since 1970-01-01 of a date or an instant; NaN of neither. */
export function dayOf(text: string, timezone: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return at
  return text.length === CLOCKLESS ? at / DAY : createZone(timezone).dayOf(at)
}

/** A new time or another end, of a write that names all of a series. */
export function isOfWhole(args: { readonly [name: string]: Json }): boolean {
  return ['from', 'to', 'until'].some((name) => args[name] !== undefined)
}
