/**
 * A published calendar at an ICS address: read-only, fetched again for each query unless the server reports that it is unchanged.
 * The address is the credential, and appears in no answer. Called by calendar-accounts.ts and find-calendars.ts.
 */

import type { OwnCalendarAccount } from '../../integrations/tools/calendar/account-port.ts'
import { unreadOf } from '../../integrations/tools/calendar/calendars.ts'
import { MAX_EVENTS, MAX_OVERLAPS } from '../../integrations/tools/calendar/fields.ts'
import { firstTimes, overlapsAt } from '../../integrations/tools/calendar/rule.ts'
import { type ShapedEvent, shapeSlots, spanOf } from '../../integrations/tools/calendar/shape.ts'
import type { Span } from '../../integrations/tools/calendar/slots.ts'
import { checkStatus } from '../../integrations/tools/remote.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Credential, ScopedHttp, ToolCall, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { hostOf, type IcsSettings, type ReadingPowers, zoneOf } from './calendar-settings.ts'
import type { Component } from './ical.ts'

const UNCHANGED = 304
const GET_HEADERS = Object.freeze({ accept: 'text/calendar, text/plain;q=0.5' })

interface Fetched {
  /** As sent by the server; empty: none. */
  readonly etag: string
  readonly body: string
}

interface Access {
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

/** Fetches the calendar, or returns the former body if it is unchanged. Refusals: those of the client and of the status. */
export async function fetchIcs(
  { credential, http }: Access,
  former: Fetched | null,
): Promise<Result<Fetched>> {
  if (credential === null) return err('credential_missing')
  const headers = {
    ...GET_HEADERS,
    ...(former !== null && former.etag !== '' && { 'if-none-match': former.etag }),
  }
  const answer = await http.request({ method: 'GET', url: credential.value, headers })
  if (!answer.ok) return answer
  if (answer.value.status === UNCHANGED && former !== null) return ok(former)
  const status = checkStatus(answer.value)
  if (!status.ok) return status
  return ok({ etag: answer.value.headers['etag'] ?? '', body: answer.value.body })
}

export function createIcs(settings: IcsSettings, powers: ReadingPowers): OwnCalendarAccount {
  const kept: { last: Fetched | null } = { last: null }
  const fetched = async (call: ToolCall): Promise<Result<Fetched>> => {
    const file = await fetchIcs(call, kept.last)
    if (file.ok) kept.last = file.value
    return file
  }
  return {
    name: settings.name,
    hosts: [hostOf(settings)],
    writes: false,
    async run(call) {
      if (call.action === 'calendar.list_calendars') return listed(settings)
      if (call.action === 'calendar.read_event')
        return readIn(call, await fetched(call), { settings, powers })
      const span = spanOf(call.args)
      const isRead = READS.has(call.action) && call.args['id'] === undefined
      if (!isRead) return err('tool_arguments_invalid', { rule: 'calendar_read_only' })
      if (!span.ok) return span
      const file = await fetched(call)
      if (!file.ok) return file
      const { body } = file.value
      if (call.action === 'calendar.check_event') return checkIn(call, body, { settings, powers })
      const read = await readWithin(body, { settings, powers, span: span.value })
      return read.ok ? answered(call, read.value, span.value) : read
    },
  }
}

/** One event, with its note. */
async function readIn(
  { args }: ToolCall,
  file: Result<Fetched>,
  { settings, powers }: Omit<Look, 'span'>,
): Promise<ToolOutcome> {
  if (!file.ok) return file
  const { occurrenceAt, readCalendar, seriesIn } = await import('./ical.ts')
  const { shapeWhole } = await import('./ical-shape.ts')
  const parsed = readCalendar(file.value.body)
  if (!parsed.ok) return parsed
  const { name } = settings
  const [given = '', rid = null] = String(args['id']).split('#')
  for (const series of seriesIn(parsed.value)) {
    const id = idOfUid(name, series.uid)
    const found = id === given ? occurrenceAt(series, rid, powers.timezone) : null
    if (found !== null)
      return { ok: true, output: shapeWhole(found, { id, calendarId: `${name}:/`, calendar: name, own: [] }) }
  }
  return err('remote_not_found')
}

function idOfUid(name: string, uid: string): string {
  return `${name}:${encodeURIComponent(uid.toWellFormed())}`
}

const READS: ReadonlySet<string> = new Set([
  'calendar.list_events',
  'calendar.freebusy',
  'calendar.check_event',
])

function listed({ name }: IcsSettings): ToolOutcome {
  const calendar = { id: `${name}:/`, name, chosen: true, standard: false, writable: false }
  return { ok: true, output: { calendars: [calendar], more: false } }
}

interface Read {
  readonly events: readonly (ShapedEvent & { readonly span: Span })[]
  readonly unread: readonly string[]
  readonly unsure: boolean
}

interface Look {
  readonly settings: IcsSettings
  readonly powers: ReadingPowers
  readonly span: Span
}

async function readWithin(body: string, { settings, powers, span }: Look): Promise<Result<Read>> {
  // Loaded when a calendar is first read.
  const { newPatience, occurrencesIn, readWhatFits, seriesIn } = await import('./ical.ts')
  const { shapeOccurrence } = await import('./ical-shape.ts')
  const parsed: Result<Component> = readWhatFits(body)
  if (!parsed.ok) return parsed
  const look = { span, timezone: powers.timezone, patience: newPatience() }
  const { list, unsure, broken } = occurrencesIn(seriesIn(parsed.value), look)
  const { name } = settings
  const events = list
    .map((one) => {
      const id = idOfUid(name, one.uid)
      const into = { id, calendarId: `${name}:/`, calendar: name, own: [] }
      return { ...shapeOccurrence(one, into), span: one.span }
    })
    .sort((a, b) => a.span.start - b.span.start)
  return ok({ events, unread: broken ? [name] : [], unsure })
}

function answered(call: ToolCall, { events, unread, unsure }: Read, span: Span): ToolOutcome {
  if (call.action === 'calendar.freebusy') return freeOf(call, { events, unread, unsure }, span)
  const count = typeof call.args['count'] === 'number' ? call.args['count'] : MAX_EVENTS
  const most = Math.max(1, Math.min(count, MAX_EVENTS))
  return {
    ok: true,
    output: {
      events: events.slice(0, most).map(({ span: _, ...event }) => event),
      more: events.length > most,
      ...(unsure && { unsure }),
      ...unreadOf(unread),
    },
  }
}

function freeOf(call: ToolCall, { events, unread, unsure }: Read, span: Span): ToolOutcome {
  const partial = unread.length > 0 || unsure
  if (partial && call.capability.claims.principal !== OWNER_PRINCIPAL)
    return err('tool_result_invalid', { rule: 'freebusy' })
  const shaped = shapeSlots(
    events.filter(({ busy }) => busy).map((one) => one.span),
    span,
  )
  return shaped.ok ? { ok: true, output: { ...shaped.value, ...(partial && { partial }) } } : shaped
}

/** Events at the time of a new event, or at the first times of a series. */
async function checkIn({ args }: ToolCall, body: string, look: Omit<Look, 'span'>): Promise<ToolOutcome> {
  const times = firstTimes(args, zoneOf(look.powers))
  if (!times.ok) return times
  const output = await overlapsAt(times.value ?? [], async ({ from, to }) => {
    const read = await readWithin(body, { ...look, span: { start: Date.parse(from), end: Date.parse(to) } })
    return read.ok ? overlapsIn(read.value.events, read.value.unread) : { unlooked: true }
  })
  return { ok: true, output }
}

function overlapsIn(events: Read['events'], unread: readonly string[]): object {
  const others = events.filter(({ busy }) => busy)
  const overlaps = others.slice(0, MAX_OVERLAPS).map(({ title, from, to, calendar, answer }) => ({
    ...{ title: title === '' ? '(no title)' : title, from, to },
    ...(calendar !== undefined && { calendar }),
    ...(answer === 'tentative' && { answer }),
  }))
  const more = others.length > MAX_OVERLAPS
  return { overlaps, more, partial: unread.length > 0 }
}
