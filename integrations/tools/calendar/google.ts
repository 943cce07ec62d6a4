/**
 * A calendar account at Google, over its REST API (I-13): maps actions to calls, and creates events. A new event's id comes from
 * the capability, so that a repeated write has no effect and an unclear outcome can be looked up. Must not retry a write. Called
 * by run.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { Series } from '../../../kernel/tool/series.ts'
import type { JsonRecord } from '../reading.ts'
import { callJson, UNCLEAR } from '../remote.ts'
import { answerInvitation } from './answer.ts'
import {
  type CalendarChoice,
  calendarAt,
  eventsPath,
  listCalendars,
  writableCalendars,
  writtenTo,
} from './calendars.ts'
import { deleteEvent, isSeries, tellsGuests, updateEvent } from './change.ts'
import { checkEvent } from './check.ts'
import { MAIN } from './fields.ts'
import { freeBusy, listEvents } from './look.ts'
import { readEvent } from './read.ts'
import { madeSeries, ruleOf, saidSeries, stampsOf } from './rule.ts'
import { googleTime, shapeCreated, spanOf, writtenSpan } from './shape.ts'

const CONFLICT = 409

export interface GoogleSettings {
  readonly base: string
  readonly choice: CalendarChoice
  /** The owner's time zone; null if unknown, and then no series can be created. */
  readonly zone?: string | null
}

export async function runGoogle(
  call: ToolCall,
  { base, choice, zone = null }: GoogleSettings,
): Promise<ToolOutcome> {
  if (call.action === 'calendar.list_calendars') return listCalendars(call, base, choice)
  if (call.action === 'calendar.read_event') return readEvent(call, { base, choice })
  if (call.action === 'calendar.check_event') return checkEvent(call, { base, choice, zone })
  const write = call.action === 'calendar.create_event' ? createEvent : WRITES.get(call.action)
  if (write !== undefined) return writeTo(call, (one, events) => write(one, events, zone), { base, choice })
  const span = spanOf(call.args)
  if (!span.ok) return span
  const look = { base, choice, span: span.value }
  if (call.action === 'calendar.freebusy') return freeBusy(call, look)
  if (call.action === 'calendar.list_events') return listEvents(call, look)
  return err('tool_unknown')
}

type Write = (call: ToolCall, events: URL) => Promise<ToolOutcome>

const WRITES: ReadonlyMap<string, typeof createEvent> = new Map<string, typeof createEvent>([
  ['calendar.update_event', updateEvent],
  ['calendar.delete_event', deleteEvent],
  ['calendar.answer_invitation', answerInvitation],
])

async function writeTo(
  call: ToolCall,
  write: Write,
  { base, choice }: { readonly base: string; readonly choice: CalendarChoice },
): Promise<ToolOutcome> {
  const isNew = call.action === 'calendar.create_event'
  if (!isNew && call.args['calendar'] === undefined) return writeWhereItIs(call, write, base)
  const events = await writtenTo(call, base, choice)
  return events.ok ? write(call, new URL(events.value, base)) : events
}

/**
 * A change without a named calendar: tries the main calendar, then the others in order until the event is found. A calendar
 * without the event is not written to.
 */
async function writeWhereItIs(call: ToolCall, write: Write, base: string): Promise<ToolOutcome> {
  const first = await write(call, new URL(eventsPath(MAIN), base))
  if (!isMissing(first)) return first
  const others = await writableCalendars(call, base)
  // If the others cannot be read, it is unknown whether the event exists.
  if (!others.ok) return first.ok ? others : first
  for (const { id } of others.value) {
    const outcome = await write(call, new URL(eventsPath(id), base))
    if (!isMissing(outcome)) return outcome
  }
  return first
}

function isMissing(outcome: ToolOutcome): boolean {
  return outcome.ok
    ? isPlainRecord(outcome.output) && outcome.output['gone'] === true
    : outcome.reason.code === 'remote_not_found'
}

async function createEvent(call: ToolCall, events: URL, zone: string | null): Promise<ToolOutcome> {
  const span = writtenSpan(call.args)
  if (!span.ok) return span
  const series = madeSeries(call.args, zone)
  if (!series.ok) return series
  const again = series.value
  const { title, from, to, location, note, attendees } = call.args
  const emails = Array.isArray(attendees) ? attendees : []
  const id = eventId(call.capability.claims.id)
  const url = new URL(events)
  url.searchParams.set('sendUpdates', emails.length === 0 ? 'none' : 'all')
  const body = {
    id,
    summary: title,
    ...(location !== undefined && { location }),
    ...(note !== undefined && { description: note }),
    // With a time zone, a series keeps its local time across a clock change.
    start: { ...googleTime(String(from)), ...(again !== null && !again.allDay && { timeZone: zone }) },
    end: { ...googleTime(String(to)), ...(again !== null && !again.allDay && { timeZone: zone }) },
    ...(again !== null && { recurrence: [`RRULE:${ruleOf(again)}`, ...exceptOf(again, zone)] }),
    attendees: emails.map((email) => ({ email })),
  }
  const answer = await callJson(call, { method: 'POST', url: url.href, body })
  const created = answer.ok ? madeOf(call, answer.value) : answer
  return created.ok ? toOutcome(call, events, created) : settle(call, events, created)
}

/** Empty, or the one line that excludes occurrences (RFC 5545, 3.8.5.1). */
function exceptOf(series: Series, zone: string | null): readonly string[] {
  const stamps = stampsOf(series)
  if (stamps.length === 0) return []
  return [`EXDATE;${series.allDay ? 'VALUE=DATE' : `TZID=${zone ?? 'UTC'}`}:${stamps.join(',')}`]
}

/** After an unclear outcome, or when the id exists: looks the event up in the calendar. */
async function settle(
  call: ToolCall,
  events: URL,
  failure: Extract<Result<never>, { readonly ok: false }>,
): Promise<ToolOutcome> {
  const { code, facts } = failure.reason
  if (!UNCLEAR.has(code) && facts['status'] !== CONFLICT) return failure
  const url = new URL(`${events.pathname}/${eventId(call.capability.claims.id)}`, events).href
  const found = await callJson(call, { method: 'GET', url })
  const created = found.ok ? madeOf(call, found.value) : found
  if (created.ok) return toOutcome(call, events, created)
  // After an unclear answer (a gateway's timeout, a lost connection) the write may still arrive, so not finding the event
  // proves nothing. Only after a plain refusal is it certain.
  const certain = created.reason.code === 'remote_not_found' && !UNCLEAR.has(code)
  return certain ? failure : err('write_outcome_unknown', { after: code })
}

/** Result for the created event. A series that was stored as a single event is an error with an unknown outcome. */
function madeOf({ args }: ToolCall, event: JsonRecord): Result<object> {
  const isWhole = args['repeat'] === undefined || isSeries(event)
  return isWhole ? shapeCreated(event) : err('tool_result_invalid', { rule: 'series' })
}

/** Google requires base32hex, 5 to 1024 characters. The hex bytes of the capability's id satisfy that. */
function eventId(capability: string): string {
  const hex = [...new TextEncoder().encode(capability)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `pfar${hex.join('')}`
}

function toOutcome({ args }: ToolCall, events: URL, shaped: Result<object>): ToolOutcome {
  const told = tellsGuests(args) ? { guestsTold: true, invited: args['attendees'] } : {}
  return shaped.ok
    ? { ok: true, output: { ...shaped.value, ...saidSeries(args), ...told, calendarId: calendarAt(events) } }
    : shaped
}
