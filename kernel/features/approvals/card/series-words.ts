/**
 * Words on a card about a repeating write: how often, from when to when, how many times, and the next dates.
 * Derived from the arguments that will run. Pure. Called by card.ts.
 */
import type { Json } from '../../../flow/json.ts'
import type { ActionManifest } from '../../../tool/manifest.ts'
import { countOf, firstDays, nthOf, type Series, seriesIn } from '../../../tool/series.ts'
import { listed, monthName, namedDay, weekdayName, weekdayNames } from '../../../wording/output.ts'
import { tell } from '../../../wording/words.ts'
import { clockOf } from '../../reminders/repeat.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** Number of dates that are named, including the first. */
const NAMED = 4

interface On {
  readonly timezone: string
  readonly now: number
}

/** Empty for a call that does not repeat. */
export function seriesLines(
  action: Pick<ActionManifest, 'series'>,
  values: { readonly [name: string]: Json },
  on: On,
): readonly string[] {
  const read = action.series === true ? seriesIn(values, on.timezone) : null
  if (read?.ok !== true || read.value === null) return []
  const series = read.value
  const named = (day: number): string => namedDay(day * DAY, on.timezone, on.now)
  const [first = series.first, ...others] = firstDays(series, NAMED)
  const next = others.length === 0 ? '' : listed(others.map(named))
  return [
    tell('approvals.series_is', {
      again: againWords(series),
      times: clockWords(series),
      first: named(first),
    }),
    endWords(series, named),
    ...(series.except.length === 0
      ? []
      : [tell('approvals.series_except', { days: listed(series.except.map(named)) })]),
    ...(next === '' ? [] : [tell('approvals.series_next', { next })]),
    ...shortWords(series),
  ].map((line) => `  ${line}`)
}

function againWords({ kind, every, days, first }: Series): string {
  const at = first * DAY
  const day = new Date(at).getUTCDate()
  const facts = {
    ...{ every, days: weekdayNames(days), day },
    ...{ month: monthName(at), weekday: weekdayName(at) },
    nth: tell('approvals.series_nth').split(' ')[nthOf(first) - 1] ?? '',
  }
  return tell(
    every > 1 && kind !== 'weekdays' ? `approvals.series_${kind}_many` : `approvals.series_${kind}`,
    facts,
  )
}

function clockWords({ allDay, clock, length }: Series): string {
  if (allDay) return tell('approvals.series_all_day')
  const from = Math.floor(clock / MINUTE)
  const to = from + Math.floor(length / MINUTE)
  const most = DAY / MINUTE
  return to < most + from ? `${clockOf(from)}–${clockOf(to % most)}` : clockOf(from)
}

function endWords(series: Series, named: (day: number) => string): string {
  const found = countOf(series)
  if (found === null) return tell('approvals.series_endless')
  const { count } = found
  const last = named(found.last)
  return tell('approvals.series_until', { until: named(series.last ?? found.last), count, last })
}

/** Remarks about days that some months or years do not have. */
function shortWords({ kind, first }: Series): readonly string[] {
  const at = new Date(first * DAY)
  const day = at.getUTCDate()
  if (kind === 'monthly' && day > 28) return [tell('approvals.series_short_month')]
  if (kind === 'yearly' && day === 29 && at.getUTCMonth() === 1) return [tell('approvals.series_leap')]
  return kind === 'monthly_weekday' && nthOf(first) > 4 ? [tell('approvals.series_no_fifth')] : []
}
