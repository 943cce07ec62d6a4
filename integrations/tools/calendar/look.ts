/**
 * Reads all chosen calendars: events, and busy and free time. A calendar that cannot be read is reported in the answer; if none
 * can be read, the read fails. Must not write. Called by google.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import {
  type Calendar,
  type CalendarChoice,
  type Chosen,
  chosenCalendars,
  eachCalendar,
  eventsPath,
  unreadOf,
} from './calendars.ts'
import { MAX_EVENTS } from './fields.ts'
import { busySpans, type ShapedEvent, shapeEvent, shapeSlots } from './shape.ts'
import type { Span } from './slots.ts'

/** Maximum number of pages of one calendar: one full of cancelled events must not be read to its end. */
const MAX_PAGES = 4

export interface Look {
  readonly base: string
  readonly choice: CalendarChoice
  readonly span: Span
}

/**
 * One query for all calendars. The service omits events that are declined, cancelled or marked as free, and counts all-day events
 * in the time zone of their calendar.
 */
export async function freeBusy(call: ToolCall, { base, choice, span }: Look): Promise<ToolOutcome> {
  const chosen = await chosenCalendars(call, base, choice)
  if (!chosen.ok) return chosen
  const { calendars, isCut, unread } = chosen.value
  const body = { ...rangeOf(span), items: calendars.map(({ id }) => ({ id })) }
  const url = new URL('/calendar/v3/freeBusy', base).href
  const isOwner = call.capability.claims.principal === OWNER_PRINCIPAL
  const answer = await callJson(call, { method: 'POST', url, body })
  if (!answer.ok) return answer
  const read = calendars.map(({ id }) => busySpans(answer.value, id))
  const failed = read.find((one) => !one.ok)
  const isPartial = failed !== undefined || unread.length > 0 || isCut
  const spans = read.flatMap((one) => (one.ok ? [one.value] : []))
  if (failed !== undefined && !failed.ok && spans.length === 0) return failed
  // Other people see the slots only, and could not tell that "free" is uncertain.
  if (isPartial && !isOwner)
    return failed !== undefined && !failed.ok ? failed : err('tool_result_invalid', { rule: 'freebusy' })
  const shaped = shapeSlots(spans.flat(), span)
  if (!shaped.ok) return shaped
  return { ok: true, output: { ...shaped.value, ...(isPartial && { partial: true }) } }
}

export async function listEvents(call: ToolCall, look: Look): Promise<ToolOutcome> {
  const count = call.args['count'] ?? MAX_EVENTS
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return err('tool_arguments_invalid', { rule: 'count' })
  const read = await eventsIn(call, look, Math.min(count, MAX_EVENTS))
  return read.ok
    ? {
        ok: true,
        output: { events: read.value.events, more: read.value.more, ...unreadOf(read.value.unread) },
      }
    : read
}

/** The earliest events of all chosen calendars. Fails only if none of them can be read. */
export async function eventsIn(
  call: ToolCall,
  look: Look,
  wanted: number,
): Promise<Result<Events & { readonly unread: readonly string[] }>> {
  const chosen = await chosenCalendars(call, look.base, look.choice)
  return chosen.ok ? eventsOver(call, look, { chosen: chosen.value, wanted }) : chosen
}

async function eventsOver(
  call: ToolCall,
  look: Look,
  { chosen, wanted }: { readonly chosen: Chosen; readonly wanted: number },
): Promise<Result<Events & { readonly unread: readonly string[] }>> {
  const { calendars, isCut } = chosen
  const read = await eachCalendar(calendars, (calendar) => eventsOf(call, look, { calendar, wanted }))
  const lists = read.flatMap((one) => (one.ok ? [one.value] : []))
  const failed = read.find((one) => !one.ok)
  if (failed !== undefined && !failed.ok && lists.length === 0) return failed
  const events = lists.flatMap((list) => list.events).sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  const more = isCut || events.length > wanted || lists.some((list) => list.more)
  const unread = [
    ...chosen.unread,
    ...calendars.filter((_, at) => read[at]?.ok === false).map(({ name }) => name),
  ]
  return ok({ events: events.slice(0, wanted), more, unread })
}

interface Events {
  readonly events: readonly ShapedEvent[]
  readonly more: boolean
}

async function eventsOf(
  call: ToolCall,
  { base, span }: Look,
  { calendar, wanted }: { readonly calendar: Calendar; readonly wanted: number },
): Promise<Result<Events>> {
  const events: ShapedEvent[] = []
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES && events.length <= wanted; page += 1) {
    const url = pageUrl(base, { calendar, span, pageToken })
    const answer = await callJson(call, { method: 'GET', url })
    if (!answer.ok) return answer
    for (const item of recordsOf(answer.value, 'items')) {
      const event = shapeEvent(item, calendar)
      if (!event.ok) return event
      if (event.value !== null) events.push(event.value)
    }
    pageToken = stringOf(answer.value, 'nextPageToken')
    if (pageToken === '') break
  }
  return ok({ events, more: pageToken !== '' })
}

function pageUrl(
  base: string,
  page: { readonly calendar: Calendar; readonly span: Span; readonly pageToken: string },
): string {
  const url = new URL(eventsPath(page.calendar.id), base)
  const query = {
    ...rangeOf(page.span),
    singleEvents: 'true',
    orderBy: 'startTime',
    maxResults: String(MAX_EVENTS),
    ...(page.pageToken === '' ? {} : { pageToken: page.pageToken }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

function rangeOf({ start, end }: Span): { readonly timeMin: string; readonly timeMax: string } {
  return { timeMin: new Date(start).toISOString(), timeMax: new Date(end).toISOString() }
}
