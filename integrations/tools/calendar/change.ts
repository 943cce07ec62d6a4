/**
 * Changes and deletes one event of Google Calendar. Reads the event just before, and writes only to that version, so that changes
 * are never mixed. Idempotent. Must not retry a write. Called by google.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { fieldOf, idOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson, checkStatus, UNCLEAR } from '../remote.ts'
import { calendarAt } from './calendars.ts'
import { EVENT_TEXT } from './fields.ts'
import { noteWith } from './note.ts'
import { googleTime, shapeChanged } from './shape.ts'
import { isOfWhole, timesAfter } from './shift.ts'
import { type WholeChange, wholeChange } from './whole.ts'

const CHANGED_SINCE = 412

/**
 * Whether guests are notified: if the owner says so, and always for an invitation or its withdrawal. `attendees`: the invited, as
 * a check names them.
 */
export function tellsGuests(args: ToolCall['args']): boolean {
  const named = ['invite', 'uninvite', 'attendees'].map((name) => args[name])
  return args['tell'] === true || named.some((one) => Array.isArray(one) && one.length > 0)
}

/** Whether the guests of the event before and after the change are notified; empty for an event without guests. */
function toldOf(args: ToolCall['args'], events: readonly JsonRecord[]): { readonly guestsTold?: boolean } {
  const others = events
    .flatMap((event) => recordsOf(event, 'attendees'))
    .filter((one) => one['self'] !== true)
  return others.length === 0 ? {} : { guestsTold: tellsGuests(args) }
}

export interface Found {
  readonly event: JsonRecord
  readonly from: string
  readonly to: string
}

/**
 * `events`: URL of the events of its calendar. Refusals: tool_arguments_invalid, event_changed, write_outcome_unknown, and those
 * of `callJson`.
 */
export async function updateEvent(call: ToolCall, events: URL, zone: string | null): Promise<ToolOutcome> {
  const found = await readEvent(call, events)
  if (!found.ok) return found
  const { event, from, to } = found.value
  const whole = await wholeIn(call, events, { event, zone })
  if (!whole.ok) return whole
  const body = changesOf(call.args, found.value, whole.value)
  if (!body.ok) return body
  const url = urlOf(event, events)
  url.searchParams.set('sendUpdates', tellsGuests(call.args) ? 'all' : 'none')
  const etag = stringOf(event, 'etag')
  const request = { method: 'PATCH', url: url.href, body: body.value } as const
  const answer = await callJson(call, { ...request, ...(etag !== '' && { ifMatch: etag }) })
  const changed = answer.ok ? shapeChanged(answer.value) : answer
  if (changed.ok) {
    const told = toldOf(call.args, [event, ...(answer.ok ? [answer.value] : [])])
    const [title, location] = [stringOf(event, 'summary'), stringOf(event, 'location')]
    const before = beforeOf(call.args, { from, to, title, location })
    return {
      ok: true,
      output: {
        ...{ ...changed.value, ...(whole.value?.after ?? {}), ...told, calendarId: calendarAt(events) },
        ...(whole.value === null ? before : wholeBefore(call.args, whole.value.named)),
        ...(isSeries(event) && { series: true }),
        ...(call.args['until'] !== undefined && { until: call.args['until'] }),
      },
    }
  }
  return { ok: false, reason: failureOf(changed.reason) }
}

/**
 * The change of a whole series; null if it affects neither the times nor the end of one. Refusals: series_none for a new end of a
 * single event, and those of `wholeChange`.
 */
export async function wholeIn(
  call: ToolCall,
  events: URL,
  { event, zone }: { readonly event: JsonRecord; readonly zone: string | null },
): Promise<Result<WholeChange | null>> {
  if (!isSeries(event)) return call.args['until'] === undefined ? ok(null) : err('series_none')
  if (!isOfWhole(call.args)) return ok(null)
  const id = String(call.args['id'])
  const one = id === stringOf(event, 'id') ? ok(event) : await eventOf(call, events, id)
  return one.ok ? wholeChange(call.args, { whole: event, one: one.value, owner: zone }) : one
}

/** As `beforeOf`, for a whole series; empty if anything besides its times was changed. */
export function wholeBefore(
  args: ToolCall['args'],
  { from, to }: { readonly from: string; readonly to: string },
): { readonly before?: JsonRecord } {
  const isMore = ['title', 'location', 'note', 'until', 'invite', 'uninvite'].some(
    (name) => args[name] !== undefined,
  )
  return isMore ? {} : { before: { from, to } }
}

/**
 * The former values of what was changed, for undo; empty if a part could not be restored: guests, a note, an end, or a text that
 * was empty before.
 */
export function beforeOf(
  args: ToolCall['args'],
  was: { readonly from: string; readonly to: string; readonly title: string; readonly location: string },
): { readonly before?: JsonRecord } {
  const isWith = (name: string): boolean => Array.isArray(args[name]) && args[name].length > 0
  const texts = (['title', 'location'] as const).filter((name) => args[name] !== undefined)
  if (
    isWith('invite') ||
    isWith('uninvite') ||
    args['note'] !== undefined ||
    args['until'] !== undefined ||
    texts.some((name) => cleanLine(was[name], EVENT_TEXT[name]) === '')
  )
    return {}
  const { from, to } = was
  return {
    before: {
      ...((args['from'] ?? args['to']) !== undefined && { from, to }),
      ...Object.fromEntries(texts.map((name) => [name, cleanLine(was[name], EVENT_TEXT[name])])),
    },
  }
}

/** An event that does not exist any more counts as deleted, as at a second delivery. */
export async function deleteEvent(call: ToolCall, events: URL): Promise<ToolOutcome> {
  const gone = { ok: true, output: { id: String(call.args['id']), gone: true } } as const
  const found = await readEvent(call, events)
  if (!found.ok) return found.reason.code === 'remote_not_found' ? gone : found
  const { event } = found.value
  const url = urlOf(event, events)
  url.searchParams.set('sendUpdates', tellsGuests(call.args) ? 'all' : 'none')
  const { credential } = call
  if (credential === null) return err('credential_missing')
  const etag = stringOf(event, 'etag')
  const headers = {
    ...{ accept: 'application/json', authorization: `Bearer ${credential.value}` },
    ...(etag !== '' && { 'if-match': etag }),
  }
  const answer = await call.http.request({ method: 'DELETE', url: url.href, headers })
  const status = answer.ok ? checkStatus(answer.value) : answer
  if (!status.ok)
    return status.reason.code === 'remote_not_found' ? gone : { ok: false, reason: failureOf(status.reason) }
  const shaped = shapeChanged(event)
  if (!shaped.ok) return shaped
  const told = toldOf(call.args, [event])
  const { from, to, ...known } = shaped.value
  // A series has no single time by which it could be restored as one event.
  return { ok: true, output: { ...known, ...told, ...(isSeries(event) ? { series: true } : { from, to }) } }
}

export async function readEvent(call: ToolCall, events: URL): Promise<Result<Found>> {
  const answer = await eventIn(call, events)
  if (!answer.ok) return answer
  const version = call.args['version']
  // Only the version that the owner was shown is changed.
  if (version !== undefined && version !== stringOf(answer.value, 'etag')) return err('event_changed')
  const shaped = shapeChanged(answer.value)
  return shaped.ok ? ok({ event: answer.value, from: shaped.value.from, to: shaped.value.to }) : shaped
}

/**
 * The event with this id; with `series`, the series that it belongs to. Refusals: remote_not_found, series_none for a single
 * event, and those of `callJson`.
 */
export async function eventIn(call: ToolCall, events: URL): Promise<Result<JsonRecord>> {
  const found = await eventOf(call, events, String(call.args['id']))
  if (!found.ok || !isAll(call.args) || isSeries(found.value)) return found
  const id = idOf(found.value, 'recurringEventId')
  // `.` and `..` would change the path.
  if (id === null || /^\.+$/.test(id)) return err('series_none')
  const whole = await eventOf(call, events, id)
  const isWhole = whole.ok && isSeries(whole.value)
  return !whole.ok || isWhole ? whole : err('tool_result_invalid', { rule: 'series' })
}

/** Exactly the event with this id. Refusals: remote_not_found, and those of `callJson`. */
export async function eventOf(call: ToolCall, events: URL, id: string): Promise<Result<JsonRecord>> {
  const answer = await callJson(call, { method: 'GET', url: eventUrl(events, id).href })
  if (!answer.ok) return answer
  // Uses the requested id, whatever id the answer contains.
  return stringOf(answer.value, 'status') === 'cancelled'
    ? err('remote_not_found')
    : ok({ ...answer.value, id })
}

/** Whether the event is a whole series. */
export function isSeries(event: JsonRecord): boolean {
  const rules = fieldOf(event, 'recurrence')
  return Array.isArray(rules) && rules.length > 0
}

/** What a card says about a change of a whole series: that its past changes too, or that it ends. */
export function allOf(args: ToolCall['args']): { readonly all?: true; readonly ends?: true } {
  const isEnded = args['until'] !== undefined
  const isMore = ['from', 'to', 'title', 'location', 'note'].some((name) => args[name] !== undefined)
  return { ...((!isEnded || isMore) && { all: true }), ...(isEnded && { ends: true }) }
}

/** Whether the event is one occurrence of a series. */
export function isOfSeries(event: JsonRecord): boolean {
  return stringOf(event, 'recurringEventId') !== ''
}

/** URL of an event that was read. */
export function urlOf(event: JsonRecord, events: URL): URL {
  return eventUrl(events, stringOf(event, 'id'))
}

function eventUrl(events: URL, id: string): URL {
  return new URL(`${events.pathname}/${encodeURIComponent(id)}`, events)
}

/** Whether the whole series is meant, which a new end always implies. */
export function isAll(args: ToolCall['args']): boolean {
  return args['series'] === true || (args['id'] !== undefined && args['until'] !== undefined)
}

/** The changes in Google's format. Refuses a call that changes nothing, and an end before the start. */
function changesOf(
  args: ToolCall['args'],
  { event, from, to }: Found,
  whole: WholeChange | null,
): Result<JsonRecord> {
  const times = whole === null ? timesAfter(args, { from, to }) : ok(null)
  if (!times.ok) return times
  const span =
    times.value === null
      ? (whole?.body ?? {})
      : {
          start: timeOver(event, 'start', times.value.from),
          end: timeOver(event, 'end', times.value.to),
        }
  const { title, location } = args
  const note = args['note'] === undefined ? null : noteWith(stringOf(event, 'description'), args['note'])
  if (note?.ok === false) return note
  const isInvited = args['invite'] !== undefined || args['uninvite'] !== undefined
  // The list is written as a whole, so an incomplete one would uninvite the others.
  if (isInvited && event['attendeesOmitted'] === true)
    return err('tool_result_invalid', { rule: 'attendees_omitted' })
  const people = attendeesOf(args, event)
  const body = {
    ...(title !== undefined && { summary: title }),
    ...(location !== undefined && { location }),
    ...(note !== null && { description: note.value }),
    ...span,
    ...(isInvited && { attendees: people }),
  }
  return Object.keys(body).length === 0
    ? err('tool_arguments_invalid', { rule: 'nothing_to_change' })
    : ok(body)
}

/** Times of the event after this change; null if its time does not change. */
export function newSpan(
  args: ToolCall['args'],
  event: JsonRecord,
): Result<{ readonly from: string; readonly to: string } | null> {
  const shaped = shapeChanged(event)
  if (!shaped.ok) return shaped
  return timesAfter(args, shaped.value)
}

/** The service merges changes, so the other form of time (date or date-time) is removed explicitly. */
function timeOver(event: JsonRecord, end: 'start' | 'end', date: string): JsonRecord {
  const time = googleTime(date)
  const other = 'date' in time ? 'dateTime' : 'date'
  return { ...time, ...(stringOf(recordOf(event, end), other) !== '' && { [other]: null }) }
}

function attendeesOf(args: ToolCall['args'], event: JsonRecord): readonly object[] {
  const listed = (name: string): readonly string[] => {
    const value = args[name]
    return Array.isArray(value) ? value.map((address) => String(address).toLowerCase()) : []
  }
  const gone = new Set(listed('uninvite'))
  const now = recordsOf(event, 'attendees').filter((one) => !gone.has(stringOf(one, 'email').toLowerCase()))
  const known = new Set(now.map((one) => stringOf(one, 'email').toLowerCase()))
  const added = listed('invite').filter((address) => !known.has(address) && !gone.has(address))
  return [...now, ...added.map((email) => ({ email }))]
}

/** After an unclear answer the write may still arrive. */
export function failureOf(reason: Extract<ToolOutcome, { ok: false }>['reason']): typeof reason {
  if (reason.facts['status'] === CHANGED_SINCE) return { code: 'event_changed', facts: {} }
  return UNCLEAR.has(reason.code) ? { code: 'write_outcome_unknown', facts: { after: reason.code } } : reason
}
