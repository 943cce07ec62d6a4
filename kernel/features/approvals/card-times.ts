/**
 * Times on a card: a date argument in words, and what a change of the clocks does to it. Pure. Called by card.ts.
 */
import type { Json } from '../../flow/json.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { argName } from '../../tool/worded.ts'
import { clockChangeAt, instantOf, namedDay, namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'

/** A date without a time. */
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/
const DAY = 86_400_000
/** The arguments of a span of whole days: its first one, and the day after its last one. */
const [BEGIN, END] = ['from', 'to']

/** Null for what is no date. */
export function whenOn(
  name: string,
  value: Json,
  on: { readonly timezone: string; readonly now: number },
): string | null {
  const at = instantOf(value)
  if (at !== null) return namedMoment(at, on.timezone, on.now)
  const day = typeof value === 'string' && DAY_ONLY.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(day)) return null
  if (name === END) return tell('approvals.day_ends', { day: namedDay(day - DAY, on.timezone, on.now) })
  const said = namedDay(day, on.timezone, on.now)
  return name === BEGIN ? tell('approvals.all_day', { day: said }) : said
}

/** A time beside a change of the clocks: what was meant may be skipped that night, or come twice. */
export function clocksOn(
  action: RegisteredAction,
  values: { readonly [name: string]: Json },
  timezone: string,
): readonly string[] {
  return Object.keys(values).flatMap((name) => {
    const at = action.args.fields[name]?.kind === 'date' ? instantOf(values[name] ?? null) : null
    const change = at === null ? null : clockChangeAt(at, timezone)
    return change === null ? [] : [tell(CLOCKS[change], { name: argName(action, name) })]
  })
}

const CLOCKS = Object.freeze({
  skipped: 'approvals.clocks_skip',
  first: 'approvals.clocks_first',
  second: 'approvals.clocks_second',
} as const)
