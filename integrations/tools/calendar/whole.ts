/**
 * Changes the time of day or the end of a whole series at Google: its own times, its rule and its exceptions move together.
 * Refuses a rule with unknown parts. Pure. Called by change.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { createZone, DAY, MINUTE } from '../../dates/zone.ts'
import { fieldOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import type { Times } from './rule.ts'
import { shapeChanged } from './shape.ts'
import { dayOf, type Shift, shiftOf } from './shift.ts'

export interface WholeChange extends Shift {
  /** Times of the named occurrence by the rule. */
  readonly named: Times
  /** Body of the write. */
  readonly body: JsonRecord
}

export interface Given {
  readonly whole: JsonRecord
  /** The named occurrence, or the series itself. */
  readonly one: JsonRecord
  /** The owner's time zone; null if unknown. */
  readonly owner: string | null
}

/** Refusals: series_whole, series_unfit, tool_unavailable, tool_arguments_invalid. */
export function wholeChange(args: ToolCall['args'], { whole, one, owner }: Given): Result<WholeChange> {
  if (owner === null) return err('tool_unavailable')
  const [now, first] = [shapeChanged(one), shapeChanged(whole)]
  if (!now.ok) return now
  if (!first.ok) return first
  const named = byRule(one, now.value, first.value)
  const zone = zoneOf(whole) ?? owner
  const shift = shiftOf(args, named, { owner, series: zone })
  if (!shift.ok) return shift
  if (shift.value.last !== null && shift.value.last < dayOf(first.value.from, owner))
    return err('series_unfit', { rule: 'until' })
  const lines = fieldOf(whole, 'recurrence')
  const rules = Array.isArray(lines) ? lines.map((line) => lineAfter(String(line), shift.value, owner)) : []
  if (rules.some((line) => line === null)) return err('series_whole')
  const { by, length, after } = shift.value
  const start = movedBy(first.value.from, by, zone)
  const lasts = length ?? Date.parse(first.value.to) - Date.parse(first.value.from)
  const times = after === null ? {} : timesOf(whole, { start, end: start + lasts, zone })
  return ok({ ...shift.value, named, body: { ...times, recurrence: rules.map(String) } })
}

/** Times of the named occurrence if it had not been moved on its own. */
function byRule(one: JsonRecord, now: Times, first: Times): Times {
  const original = recordOf(one, 'originalStartTime')
  const from = stringOf(original, 'dateTime') || stringOf(original, 'date')
  const start = Date.parse(from)
  if (from === '' || Number.isNaN(start) || start === Date.parse(now.from)) return now
  const to = new Date(start + Date.parse(first.to) - Date.parse(first.from)).toISOString()
  return { from, to: from.length === 10 ? to.slice(0, 10) : to }
}

function zoneOf(whole: JsonRecord): string | null {
  return stringOf(recordOf(whole, 'start'), 'timeZone') || null
}

function movedBy(from: string, by: number, zone: string): number {
  if (from.length === 10) return Date.parse(from) + by
  const clocks = createZone(zone)
  const wall = clocks.wallOf(Date.parse(from)) + by
  return clocks.instantOf(Math.floor(wall / DAY), (wall % DAY) / MINUTE)
}

function timesOf(
  whole: JsonRecord,
  { start, end, zone }: { readonly start: number; readonly end: number; readonly zone: string },
): JsonRecord {
  const isDay = stringOf(recordOf(whole, 'start'), 'date') !== ''
  const at = (time: number): JsonRecord =>
    isDay
      ? { date: new Date(time).toISOString().slice(0, 10) }
      : { dateTime: new Date(time).toISOString(), timeZone: zone }
  return { start: at(start), end: at(end) }
}

const RULE = /^RRULE:[A-Z0-9=;,+-]+$/
const DATES = /^((?:EXDATE|RDATE)(?:;(?:TZID|VALUE)=[\w/+-]+)*:)(\d{8}(?:T\d{6}Z?)?(?:,\d{8}(?:T\d{6}Z?)?)*)$/
/** Rule parts that set a time of day: the rule would then differ from the moved event. */
const CLOCKS = /;BY(?:HOUR|MINUTE|SECOND)=/

/** One recurrence line (RFC 5545, 3.8.5), moved and ended; null for an unknown line. */
function lineAfter(line: string, { by, last }: Shift, owner: string): string | null {
  const [, head = '', dates] = DATES.exec(line) ?? []
  if (dates !== undefined)
    return `${head}${dates
      .split(',')
      .map((one) => stampAfter(one, by))
      .join(',')}`
  if (!RULE.test(line) || (by !== 0 && CLOCKS.test(line))) return null
  const isDay = !/;UNTIL=\d{8}T/.test(line)
  const moved = isDay
    ? line
    : line.replace(/(;UNTIL=)(\d{8}T\d{6}Z?)/, (_, a: string, b: string) => `${a}${stampAfter(b, by)}`)
  if (last === null) return moved
  const end = createZone(owner).instantOf(last + 1, 0) - 1_000
  return `${moved.replace(/;(?:UNTIL|COUNT)=[^;]+/g, '')};UNTIL=${stampOf(end)}Z`
}

function stampAfter(stamp: string, by: number): string {
  const [, y, mo, d, h, mi, s, z = ''] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/.exec(stamp) ?? []
  if (y === undefined) return stamp
  return `${stampOf(Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`) + by)}${z}`
}

function stampOf(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}Z$/g, '')
}
