/**
 * A calendar account at a CalDAV server (RFC 4791): its calendars, events and busy times, and the facts for the card of a write.
 * Recurrences are expanded here, since few servers do so. Must not retry. Called by calendar-accounts.ts.
 */

import { DAY } from '../../integrations/dates/zone.ts'
import { eachCalendar, unreadOf } from '../../integrations/tools/calendar/calendars.ts'
import { allOf, tellsGuests } from '../../integrations/tools/calendar/change.ts'
import {
  MAX_ATTENDEES,
  MAX_CALENDARS,
  MAX_EVENTS,
  MAX_OVERLAPS,
} from '../../integrations/tools/calendar/fields.ts'
import { firstTimes, overlapsAt, type Times } from '../../integrations/tools/calendar/rule.ts'
import { type ShapedEvent, shapeSlots, spanOf } from '../../integrations/tools/calendar/shape.ts'
import { timesAfter } from '../../integrations/tools/calendar/shift.ts'
import type { Span } from '../../integrations/tools/calendar/slots.ts'
import { isAddress } from '../../integrations/tools/reading.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { ToolCall, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { type At, calendarId, isCalled, isChosen, nameOf } from './caldav-call.ts'
import { createOn, deleteOn, findOn, nameOfWritten, respondOn, shiftIn, updateOn } from './caldav-write.ts'
import { type CaldavSettings, type ReadingPowers, zoneOf } from './calendar-settings.ts'
import { calendarsIn, type DavCalendar, resourcesWithin } from './dav.ts'
import {
  isWhole,
  newPatience,
  type Occurrence,
  occurrencesIn,
  type Patience,
  readWhatFits,
  seriesIn,
} from './ical.ts'
import { changeSeries } from './ical-series.ts'
import { guestsOf, organizerOf, shapeOccurrence, shapeWhole, titleOf } from './ical-shape.ts'

export async function runCaldav(
  call: ToolCall,
  settings: CaldavSettings,
  powers: ReadingPowers,
): Promise<ToolOutcome> {
  const { server, user, address } = settings
  const { credential, http } = call
  const own = [address, isAddress(user) ? user : null].flatMap((one) =>
    one === null ? [] : [one.toLowerCase()],
  )
  const at: At = { call, server: { server, user, credential, http }, settings, powers, own }
  switch (call.action) {
    case 'calendar.list_calendars':
      return listCalendars(at)
    case 'calendar.list_events':
      return listEvents(at)
    case 'calendar.freebusy':
      return freeBusy(at)
    case 'calendar.read_event':
      return readOn(at)
    case 'calendar.check_event':
      return checkEvent(at)
    case 'calendar.create_event':
      return createOn(at)
    case 'calendar.update_event':
      return updateOn(at)
    case 'calendar.delete_event':
      return deleteOn(at)
    case 'calendar.answer_invitation':
      return respondOn(at)
    default:
      return err('tool_unknown')
  }
}

async function listCalendars({ server, settings, powers }: At): Promise<ToolOutcome> {
  const found = await calendarsIn(server, settings.home)
  if (!found.ok) return found
  const calendars = found.value.slice(0, MAX_CALENDARS).map((one) => ({
    id: calendarId(settings, one.path),
    name: nameOf(one),
    chosen: isChosen(settings, one),
    standard: isStandard(powers, settings, one),
    writable: one.writable,
  }))
  const unread = missingIn(settings, found.value)
  return { ok: true, output: { calendars, more: found.value.length > calendars.length, ...unreadOf(unread) } }
}

/** Configured calendars that no longer exist. */
function missingIn(settings: CaldavSettings, found: readonly DavCalendar[]): readonly string[] {
  return settings.calendars.filter((wanted) => !found.some((one) => isCalled(settings, one, wanted)))
}

function isStandard({ standard }: ReadingPowers, settings: CaldavSettings, calendar: DavCalendar): boolean {
  return standard !== null && isCalled(settings, calendar, standard)
}

interface Read {
  readonly events: readonly (ShapedEvent & { readonly span: Span })[]
  readonly unread: readonly string[]
  readonly unsure: boolean
  readonly isCut: boolean
}

/** Reads the chosen calendars. Refusal: that of the first, if none can be read. */
async function readWithin(at: At, span: Span): Promise<Result<Read>> {
  const { server, settings } = at
  const found = await calendarsIn(server, settings.home)
  if (!found.ok) return found
  const chosen = found.value.filter((one) => isChosen(settings, one))
  const read = chosen.slice(0, MAX_CALENDARS)
  if (read.length === 0) return err('remote_not_found')
  const patience = newPatience()
  const answers = await eachCalendar(read, (calendar) => readOne(at, { calendar, span, patience }))
  const lists = answers.flatMap((one) => (one.ok ? [one.value] : []))
  const failed = answers.find((one) => !one.ok)
  if (failed !== undefined && !failed.ok && lists.length === 0) return failed
  const unread = read.filter((_, index) => {
    const answer = answers[index]
    return answer === undefined || !answer.ok || answer.value.broken
  })
  return ok({
    events: lists.flatMap((one) => one.events).sort((a, b) => a.span.start - b.span.start),
    unread: [...missingIn(settings, found.value), ...unread.map(nameOf)],
    unsure: lists.some((one) => one.unsure),
    isCut: chosen.length > read.length,
  })
}

interface CalendarRead {
  readonly events: Read['events']
  readonly unsure: boolean
  readonly broken: boolean
}

async function readOne(
  { server, settings, powers, own }: At,
  {
    calendar,
    span,
    patience,
  }: { readonly calendar: DavCalendar; readonly span: Span; readonly patience: Patience },
): Promise<Result<CalendarRead>> {
  // The server counts all-day events in UTC, so the span is widened by a day.
  const wide = { start: span.start - DAY, end: span.end + DAY }
  const found = await resourcesWithin(server, calendar.path, wide)
  if (!found.ok) return found
  const id = calendarId(settings, calendar.path)
  const events: (ShapedEvent & { readonly span: Span })[] = []
  const flaws = { unsure: false, broken: false }
  for (const { path, body } of found.value) {
    const parsed = readWhatFits(body)
    if (!parsed.ok) flaws.broken = true
    if (!parsed.ok) continue
    const look = { span, timezone: powers.timezone, patience }
    const { list, unsure, broken } = occurrencesIn(seriesIn(parsed.value), look)
    flaws.unsure ||= unsure
    flaws.broken ||= broken
    const name = isStandard(powers, settings, calendar) ? null : nameOf(calendar)
    const into = { id: calendarId(settings, path), calendarId: id, calendar: name, own }
    for (const one of list) events.push({ ...shapeOccurrence(one, into), span: one.span })
  }
  return ok({ events, ...flaws })
}

/** Removes the field that is not declared. */
function declared({ span: _, ...event }: Read['events'][number]): object {
  return event
}

async function listEvents(at: At): Promise<ToolOutcome> {
  const span = spanOf(at.call.args)
  if (!span.ok) return span
  const count = at.call.args['count'] ?? MAX_EVENTS
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return err('tool_arguments_invalid', { rule: 'count' })
  const read = await readWithin(at, span.value)
  if (!read.ok) return read
  const { events, unread, unsure, isCut } = read.value
  const most = Math.min(count, MAX_EVENTS)
  return {
    ok: true,
    output: {
      events: events.slice(0, most).map(declared),
      more: isCut || events.length > most,
      ...(unsure && { unsure }),
      ...unreadOf(unread),
    },
  }
}

async function freeBusy(at: At): Promise<ToolOutcome> {
  const span = spanOf(at.call.args)
  if (!span.ok) return span
  const read = await readWithin(at, span.value)
  if (!read.ok) return read
  const { events, unread, unsure, isCut } = read.value
  const partial = unread.length > 0 || isCut || unsure
  if (partial && at.call.capability.claims.principal !== OWNER_PRINCIPAL)
    return err('tool_result_invalid', { rule: 'freebusy' })
  const busy = events.filter((one) => one.busy).map((one) => one.span)
  const shaped = shapeSlots(busy, span.value)
  return shaped.ok ? { ok: true, output: { ...shaped.value, ...(partial && { partial }) } } : shaped
}

/** One event, with its note. */
async function readOn(at: At): Promise<ToolOutcome> {
  const { call, settings, own } = at
  const found = await findOn(at, String(call.args['id']))
  if (!found.ok) return found
  const { resource, occurrence } = found.value
  const calendar = resource.path.slice(0, resource.path.lastIndexOf('/') + 1)
  const into = {
    ...{ id: calendarId(settings, resource.path), calendarId: calendarId(settings, calendar), own },
    calendar: null,
  }
  return { ok: true, output: shapeWhole(occurrence, into) }
}

/** Facts for a card: the event and its version, who is notified, and what else is at that time. */
async function checkEvent(at: At): Promise<ToolOutcome> {
  const { args } = at.call
  const { id } = args
  const found = typeof id === 'string' ? await findOn(at, id) : null
  if (found?.ok === false) return found
  const occurrence = found === null ? null : found.value.occurrence
  const unable = unableTo(at, occurrence)
  if (unable !== null) return unable
  const etag = found === null ? '' : found.value.resource.etag
  const shift = found === null ? null : shiftIn(found.value, at)
  if (shift?.ok === false) return shift
  const moved = shift?.value ?? null
  if (moved !== null && found !== null) {
    // A change that is not possible is refused before a card is created.
    const tried = changeSeries(found.value.calendar, found.value.series, {
      ...moved,
      owner: zoneOf(at.powers),
    })
    if (!tried.ok) return tried
  }
  const times = moved === null ? timesOf(at, occurrence) : ok(moved.after === null ? null : [moved.after])
  if (!times.ok) return times
  const isSilent = isUntold(at, occurrence)
  const name = await nameOfWritten(at, found === null ? null : found.value.resource.path)
  // A calendar that the owner named is shown on the card in the owner's words.
  const into = name === null || (id === undefined && args['calendar'] !== undefined) ? {} : { into: name }
  const shown = moved === null || found === null ? occurrence : spanOfNamed(found.value)
  const known = shown === null ? {} : knownOf(shown, at, { etag, isSilent })
  const untold = isSilent ? untoldBy(args) : toldAnyway(at, occurrence)
  if (times.value === null) return { ok: true, output: { ...known, ...into, ...untold } }
  const [first] = times.value
  const isMovedOne = occurrence !== null && args['answer'] === undefined && first !== undefined
  const after = isMovedOne ? { after: { from: first.from, to: first.to } } : {}
  const own = typeof id === 'string' ? id : null
  const overlaps = await overlapsAt(times.value, ({ from, to }) => overlapsOf(at, { from, to, own }))
  return {
    ok: true,
    output: { ...known, ...into, ...untold, ...after, ...overlaps, ...(moved !== null && { begin: true }) },
  }
}

/** Why nobody can be invited, or the invitation cannot be answered; checked before a card is created. */
function unableTo({ call: { args }, own }: At, occurrence: Occurrence | null): ToolOutcome | null {
  const names = [args['attendees'], args['invite']].some((one) => Array.isArray(one) && one.length > 0)
  const isAnswer = args['answer'] !== undefined
  if ((names || isAnswer) && own.length === 0) return err('service_address_missing')
  if (!isAnswer || occurrence === null) return null
  const isInvited = guestsOf(occurrence.item).some(({ email }) => own.includes(email))
  return isInvited && organizerOf(occurrence.item, own) !== null ? null : err('not_invited')
}

/** The whole series, shown with the times of the occurrence that was named. */
function spanOfNamed({
  occurrence,
  named: { from, to },
}: {
  readonly occurrence: Occurrence
  readonly named: Occurrence
}): Occurrence {
  return { ...occurrence, from, to }
}

/** Whether somebody should be notified, but this server notifies nobody. */
function isUntold({ call: { args }, settings, own }: At, occurrence: Occurrence | null): boolean {
  if (settings.invites) return false
  const named = [args['attendees'], args['invite']].some((one) => Array.isArray(one) && one.length > 0)
  const guests = occurrence === null ? [] : guestsOf(occurrence.item)
  return named || guests.some(({ email }) => !own.includes(email))
}

/** `silent` if nobody was to be notified; `untold` if this server cannot do it. */
function untoldBy(args: At['call']['args']): object {
  return tellsGuests(args) || args['answer'] !== undefined || args['id'] === undefined
    ? { untold: true }
    : { silent: true }
}

/** Set if a server notifies guests although it was not asked to: it cannot be prevented (RFC 6638). */
function toldAnyway({ call: { args }, own }: At, occurrence: Occurrence | null): object {
  if (occurrence === null || args['answer'] !== undefined || tellsGuests(args)) return {}
  return guestsOf(occurrence.item).some(({ email }) => !own.includes(email)) ? { always: true } : {}
}

/** Null if the time does not change. */
function timesOf(
  { call: { args }, powers }: At,
  occurrence: Occurrence | null,
): Result<readonly Times[] | null> {
  if (occurrence === null) return firstTimes(args, zoneOf(powers))
  if (args['answer'] !== undefined) return ok([occurrence])
  const after = timesAfter(args, occurrence)
  return after.ok ? ok(after.value === null ? null : [after.value]) : after
}

function knownOf(
  { item, rid, from, to }: Occurrence,
  { own, call: { args } }: At,
  { etag, isSilent }: { readonly etag: string; readonly isSilent: boolean },
): object {
  const title = titleOf(item)
  const organizer = organizerOf(item, own)
  const people = guestsOf(item).filter(({ email }) => !own.includes(email))
  const guests = people.map(({ email }) => email).filter(isAddress)
  return {
    event: { ...(title !== '' && { title }), from, to },
    ...(isWhole({ rid, item }) ? allOf(args) : rid !== null && { one: true }),
    ...(/^[\x21-\x7e]{1,200}$/.test(etag) && { version: etag }),
    ...(organizer !== null && { organizer }),
    ...(guests.length > 0 && { [isSilent ? 'invited' : 'guests']: guests.slice(0, MAX_ATTENDEES) }),
    ...(!isSilent && people.length > Math.min(guests.length, MAX_ATTENDEES) && { others: true }),
  }
}

async function overlapsOf(
  at: At,
  { from, to, own }: Times & { readonly own: string | null },
): Promise<object> {
  const span = { start: Date.parse(from), end: Date.parse(to) }
  const read = await readWithin(at, span)
  if (!read.ok) return { unlooked: true }
  const others = read.value.events.filter(({ id, busy }) => busy && id !== own)
  return {
    overlaps: others.slice(0, MAX_OVERLAPS).map(({ title, from: begin, to: end, calendar, answer }) => ({
      ...{ title: title === '' ? '(no title)' : title, from: begin, to: end },
      ...(calendar !== undefined && { calendar }),
      ...(answer === 'tentative' && { answer }),
    })),
    more: read.value.isCut || others.length > MAX_OVERLAPS,
    partial: read.value.unread.length > 0,
  }
}
