/**
 * Times at which the owner could meet others: free in all calendars that are read, within working hours, on working days.
 * Calendars of other people are unknown, which the answer says. Must not read a calendar itself. Called by run.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { createZone, DAY, MINUTE } from '../../dates/zone.ts'
import { recordsOf, stringOf } from '../reading.ts'
import { MAX_GUESTS_TEXT, MAX_TIMES } from './fields.ts'
import { spanOf } from './shape.ts'
import { type Span, slotsOf } from './slots.ts'

/** Minutes from midnight in the owner's time zone. */
export interface Hours {
  readonly from: number
  readonly to: number
}

export interface TimesPowers {
  readonly timezone: string
  /** Time zone of where the owner is now, IANA name; absent: `timezone`. */
  readonly zone?: () => string
  readonly hours: () => Hours
}

/** Number of days that are searched if none is named. */
const AHEAD = 14
/** Default length of a meeting and its bounds, minutes. */
const USUAL = 60
const LONGEST = 12 * 60
/** Meetings start at multiples of this within an hour. */
const STEP = 30 * MINUTE
/** Maximum number of times on one day before those of other days, so that there are several days to choose from. */
const MOST_OF_A_DAY = 3
const SATURDAY = 6

type Read = (call: ToolCall) => Promise<ToolOutcome>

/** Refusals: tool_arguments_invalid, and those of reading free and busy times. */
export async function findTimes(call: ToolCall, read: Read, powers: TimesPowers): Promise<ToolOutcome> {
  const asked = askedOf(call)
  if (!asked.ok) return asked
  const { span, minutes } = asked.value
  const args = { from: new Date(span.start).toISOString(), to: new Date(span.end).toISOString() }
  const answer = await read({ ...call, action: 'calendar.freebusy', args })
  if (!answer.ok) return answer
  if (!isPlainRecord(answer.output)) return err('tool_result_invalid', { rule: 'freebusy' })
  const busy = recordsOf(answer.output, 'slots')
    .filter((slot) => slot['busy'] === true)
    .map((slot) => ({ start: Date.parse(stringOf(slot, 'from')), end: Date.parse(stringOf(slot, 'to')) }))
  const found = timesWithin(busy, { span, length: minutes * MINUTE, ...powers })
  const guests = guestsOf(call)
  return {
    ok: true,
    output: {
      times: shownOf(found).map(({ start, end }) => ({
        ...{ from: new Date(start).toISOString(), to: new Date(end).toISOString() },
        guests,
      })),
      more: found.length > MAX_TIMES,
      ...(guests.length > 0 && { unknown: guests.join(', ').slice(0, MAX_GUESTS_TEXT) }),
      ...(answer.output['partial'] === true && { partial: true }),
    },
  }
}

function guestsOf({ args }: ToolCall): readonly string[] {
  const given = args['attendees']
  return Array.isArray(given) ? [...new Set(given.map(String))] : []
}

/** Starts now at the earliest, so that no past time is proposed. */
function askedOf(call: ToolCall): Result<{ readonly span: Span; readonly minutes: number }> {
  const { args } = call
  const now = call.capability.claims.issuedAt
  const minutes = args['minutes'] ?? USUAL
  if (typeof minutes !== 'number' || !(minutes >= 1) || minutes > LONGEST)
    return err('tool_arguments_invalid', { rule: 'minutes' })
  if (args['from'] === undefined) return ok({ span: { start: now, end: now + AHEAD * DAY }, minutes })
  const span = spanOf({ to: new Date(Date.parse(String(args['from'])) + AHEAD * DAY).toISOString(), ...args })
  if (!span.ok) return span
  const start = Math.max(span.value.start, now)
  return start < span.value.end
    ? ok({ span: { start, end: span.value.end }, minutes })
    : err('tool_arguments_invalid', { rule: 'from_before_to' })
}

interface Time extends Span {
  /** Rank within the day; the lowest are proposed first. */
  readonly turn: number
}

interface Wanted extends TimesPowers {
  readonly span: Span
  readonly length: number
}

/** The earliest times of several days first, then further free times, one of each day in turn; returned in order of time. */
function shownOf(found: readonly Time[]): readonly Time[] {
  const turns = found.toSorted((a, b) => a.turn - b.turn || a.start - b.start)
  return turns.slice(0, MAX_TIMES).sort((a, b) => a.start - b.start)
}

/** Days off are excluded only if the request named no other day. */
function timesWithin(busy: readonly Span[], wanted: Wanted): readonly Time[] {
  const zone = createZone(wanted.timezone)
  const first = Math.floor(zone.wallOf(wanted.span.start) / DAY)
  const last = Math.floor(zone.wallOf(wanted.span.end - 1) / DAY)
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const ofWork = days.filter((day) => !isWeekend(day))
  return (ofWork.length > 0 ? ofWork : days).flatMap((day) => {
    const { from, to } = wanted.hours()
    const within = {
      start: Math.max(zone.instantOf(day, from), wanted.span.start),
      end: Math.min(zone.instantOf(day, to), wanted.span.end),
    }
    return within.start < within.end ? timesOfDay(slotsOf(busy, within), wanted.length) : []
  })
}

/** All times that fit one after another: the first of each free stretch, then the others. */
function timesOfDay(slots: ReturnType<typeof slotsOf>, length: number): readonly Time[] {
  const stretches = slots.filter((slot) => !slot.busy).map((slot) => timesIn(slot, length))
  const [first, others] = [
    stretches.flatMap((all) => all.slice(0, 1)),
    stretches.flatMap((all) => all.slice(1)),
  ]
  return [...first, ...others].map((time, index) => ({
    ...time,
    turn: index < Math.min(MOST_OF_A_DAY, first.length) ? 0 : index,
  }))
}

function timesIn({ start, end }: Span, length: number): readonly Span[] {
  const times: Span[] = []
  for (let at = halfHour(start); at + length <= end; at = halfHour(at + length))
    times.push({ start: at, end: at + length })
  return times
}

function halfHour(at: number): number {
  return Math.ceil(at / STEP) * STEP
}

/** 1970-01-01 was a Thursday. */
function isWeekend(day: number): boolean {
  const weekday = (((day + 4) % 7) + 7) % 7
  return weekday === 0 || weekday === SATURDAY
}
