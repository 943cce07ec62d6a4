/**
 * Google Calendar over its REST API (I-13): reads, and the new event. Its id comes from the capability, so that a repeated write
 * has no effect and an unclear outcome can be looked up. Must not retry a write. Called through integrations/tools/port.ts.
 */
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { googleCheck } from '../google-connect.ts'
import { recordsOf, stringOf } from '../reading.ts'
import { callJson, UNCLEAR } from '../remote.ts'
import { deleteEvent, EVENTS, updateEvent } from './change.ts'
import { CALENDAR_MANIFEST, MAX_EVENTS } from './manifest.ts'
import { googleTime, shapeCreated, shapeEvent, shapeFreeBusy, spanOf } from './shape.ts'
import type { Span } from './slots.ts'

export interface CalendarOptions {
  /** Origin of the Calendar API. */
  readonly baseUrl?: string
}

const GOOGLE = 'https://www.googleapis.com'
/** Maximum pages: a calendar full of cancelled events must not be read to its end. */
const MAX_PAGES = 4
const CONFLICT = 409
export function createCalendarTool(options: CalendarOptions = {}): Tool {
  const base = options.baseUrl ?? GOOGLE
  return {
    manifest: { ...CALENDAR_MANIFEST, network: [new URL(base).host] },
    check: googleCheck(base, '/calendar/v3/users/me/settings/timezone'),
    execute: async (call) => {
      if (call.action === 'calendar.update_event') return updateEvent(call, base)
      if (call.action === 'calendar.delete_event') return deleteEvent(call, base)
      const span = spanOf(call.args)
      if (!span.ok) return span
      if (call.action === 'calendar.freebusy') return freeBusy(call, base, span.value)
      if (call.action === 'calendar.list_events') return listEvents(call, base, span.value)
      if (call.action === 'calendar.create_event') return createEvent(call, base)
      return err('tool_unknown')
    },
  }
}

async function freeBusy(call: ToolCall, base: string, span: Span): Promise<ToolOutcome> {
  const body = { ...rangeOf(span), items: [{ id: 'primary' }] }
  const url = new URL('/calendar/v3/freeBusy', base).href
  const answer = await callJson(call, { method: 'POST', url, body })
  return answer.ok ? toOutcome(shapeFreeBusy(answer.value, span)) : answer
}

async function listEvents(call: ToolCall, base: string, span: Span): Promise<ToolOutcome> {
  const count = call.args['count'] ?? MAX_EVENTS
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return err('tool_arguments_invalid', { rule: 'count' })
  const wanted = Math.min(count, MAX_EVENTS)
  const events: object[] = []
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES && events.length <= wanted; page += 1) {
    const answer = await callJson(call, { method: 'GET', url: pageUrl(base, span, pageToken) })
    if (!answer.ok) return answer
    for (const item of recordsOf(answer.value, 'items')) {
      const event = shapeEvent(item)
      if (!event.ok) return event
      if (event.value !== null) events.push(event.value)
    }
    pageToken = stringOf(answer.value, 'nextPageToken')
    if (pageToken === '') break
  }
  const more = events.length > wanted || pageToken !== ''
  return { ok: true, output: { events: events.slice(0, wanted), more } }
}

function pageUrl(base: string, span: Span, pageToken: string): string {
  const url = new URL(EVENTS, base)
  const query = {
    ...rangeOf(span),
    singleEvents: 'true',
    orderBy: 'startTime',
    maxResults: String(MAX_EVENTS),
    ...(pageToken === '' ? {} : { pageToken }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

async function createEvent(call: ToolCall, base: string): Promise<ToolOutcome> {
  const { title, from, to, attendees } = call.args
  const emails = Array.isArray(attendees) ? attendees : []
  const id = eventId(call.capability.claims.id)
  const url = new URL(EVENTS, base)
  url.searchParams.set('sendUpdates', emails.length === 0 ? 'none' : 'all')
  const body = {
    id,
    summary: title,
    start: googleTime(String(from)),
    end: googleTime(String(to)),
    attendees: emails.map((email) => ({ email })),
  }
  const answer = await callJson(call, { method: 'POST', url: url.href, body })
  const created = answer.ok ? shapeCreated(answer.value) : answer
  return created.ok ? toOutcome(created) : settle(call, base, created)
}

/** After an unclear outcome, or when the id exists: looks the event up in the calendar. */
async function settle(
  call: ToolCall,
  base: string,
  failure: Extract<Result<never>, { readonly ok: false }>,
): Promise<ToolOutcome> {
  const { code, facts } = failure.reason
  if (!UNCLEAR.has(code) && facts['status'] !== CONFLICT) return failure
  const url = new URL(`${EVENTS}/${eventId(call.capability.claims.id)}`, base).href
  const found = await callJson(call, { method: 'GET', url })
  const created = found.ok ? shapeCreated(found.value) : found
  if (created.ok) return toOutcome(created)
  // After an unclear answer (a gateway's timeout, a lost connection) the write may still arrive, so not finding the event
  // proves nothing. Only after a plain refusal is it certain.
  const certain = created.reason.code === 'remote_not_found' && !UNCLEAR.has(code)
  return certain ? failure : err('write_outcome_unknown', { after: code })
}

/** Google requires base32hex, 5 to 1024 characters. The hex bytes of the capability's id satisfy that. */
function eventId(capability: string): string {
  const hex = [...new TextEncoder().encode(capability)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `pfar${hex.join('')}`
}

function rangeOf({ start, end }: Span): { readonly timeMin: string; readonly timeMax: string } {
  return { timeMin: new Date(start).toISOString(), timeMax: new Date(end).toISOString() }
}

function toOutcome(shaped: Result<object>): ToolOutcome {
  return shaped.ok ? { ok: true, output: shaped.value } : shaped
}
