/**
 * Writes to a CalDAV server, one event at a time: only to the version that was read, or only if nothing exists yet. The path of a
 * new event comes from the capability, so that a repeated write has no effect and an unclear outcome can be looked up. Must not
 * retry a write. Called by caldav.ts.
 */

import { beforeOf, failureOf, isAll, wholeBefore } from '../../integrations/tools/calendar/change.ts'
import { noteWith } from '../../integrations/tools/calendar/note.ts'
import { madeSeries, ruleOf, saidSeries, stampsOf } from '../../integrations/tools/calendar/rule.ts'
import { writtenSpan } from '../../integrations/tools/calendar/shape.ts'
import { dayOf, isOfWhole, type Shift, shiftOf, timesAfter } from '../../integrations/tools/calendar/shift.ts'
import { UNCLEAR } from '../../integrations/tools/remote.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import { type At, calendarId, isCalled, isChosen, nameOf } from './caldav-call.ts'
import { zoneOf } from './calendar-settings.ts'
import {
  calendarsIn,
  type DavCalendar,
  deleteResource,
  type Resource,
  readResource,
  writeResource,
} from './dav.ts'
import {
  type Component,
  clockOf,
  isWhole,
  type Occurrence,
  occurrenceAt,
  readCalendar,
  ruleTimes,
  type Series,
  seriesIn,
  textOf,
} from './ical.ts'
import { changeSeries } from './ical-series.ts'
import { guestsOf, idOf, organizerOf, placeOf, titleOf } from './ical-shape.ts'
import { answerIn, changeEvent, newCalendar, withoutOccurrence } from './ical-write.ts'

const CHANGED_SINCE = 412

interface FoundOn {
  readonly resource: Resource
  readonly calendar: Component
  readonly series: Series
  /** The event to write; the whole series if all of it is meant. */
  readonly occurrence: Occurrence
  /** The occurrence that the id names. */
  readonly named: Occurrence
}

/**
 * Refusals: remote_not_found, series_none (the whole series of a single event was requested), tool_result_invalid for what cannot
 * be read, and those of the server.
 */
export async function findOn(at: At, id: string): Promise<Result<FoundOn>> {
  const { call, settings, server, powers } = at
  const [path = '', one = null] = id.slice(settings.name.length + 1).split('#')
  const isWanted = isAll(call.args)
  const rid = isWanted ? null : one
  // An id is untrusted: its path must be below the owner's calendars.
  if (!isIn(path, settings.home, settings.server)) return err('remote_not_found')
  const resource = await readResource(server, path)
  if (!resource.ok) return resource
  const calendar = readCalendar(resource.value.body)
  if (!calendar.ok) return calendar
  for (const series of seriesIn(calendar.value)) {
    const occurrence = occurrenceAt(series, rid, powers.timezone)
    if (occurrence !== null && isWanted && !isWhole(occurrence)) return err('series_none')
    if (occurrence === null) continue
    const named = isWanted && one !== null ? occurrenceAt(series, one, powers.timezone) : occurrence
    if (named !== null)
      return ok({ resource: resource.value, calendar: calendar.value, series, occurrence, named })
  }
  return err('remote_not_found')
}

function isIn(path: string, home: string, server: string): boolean {
  return path.startsWith(home) && !/%2e|%2f/i.test(path) && URL.parse(path, server)?.pathname === path
}

/** The event, only if its version is the one that the owner was shown. */
async function findShown(at: At): Promise<Result<FoundOn>> {
  const { id, version } = at.call.args
  const found = await findOn(at, String(id))
  if (!found.ok) return found
  const { etag } = found.value.resource
  if (version !== undefined && version !== etag) return err('event_changed')
  // Without a version, the write could overwrite another program's change.
  return etag === '' ? err('tool_result_invalid', { rule: 'etag' }) : found
}

export async function createOn(at: At): Promise<ToolOutcome> {
  const { call, server, settings } = at
  const span = writtenSpan(call.args)
  if (!span.ok) return span
  const zone = zoneOf(at.powers)
  const series = madeSeries(call.args, zone)
  if (!series.ok) return series
  const again = series.value
  const path = await pathFor(at)
  if (!path.ok) return path
  const { title, from, to, location, note, attendees } = call.args
  const invited = Array.isArray(attendees) ? attendees.map(String) : []
  const organizer = at.own[0] ?? null
  if (invited.length > 0 && organizer === null) return err('service_address_missing')
  const uid = uidOf(call.capability.claims.id)
  const body = newCalendar({
    ...{ uid, title: String(title), from: String(from), to: String(to), attendees: invited },
    ...(typeof location === 'string' && { location }),
    ...(typeof note === 'string' && { note }),
    organizer: invited.length > 0 ? organizer : null,
    series: again === null ? null : { rule: ruleOf(again), zone, except: stampsOf(again) },
    now: call.capability.claims.issuedAt,
  })
  const target = `${path.value}${uid}.ics`
  const id = calendarId(settings, target)
  const told = invited.length > 0 ? { guestsTold: settings.invites, invited } : {}
  const output = {
    id,
    title,
    from,
    to,
    ...saidSeries(call.args),
    ...told,
    calendarId: calendarId(settings, path.value),
  }
  const written = await writeResource(server, { path: target, etag: null, body })
  if (written.ok) return { ok: true, output }
  const { code, facts } = written.reason
  if (!UNCLEAR.has(code) && facts['status'] !== CHANGED_SINCE) return written
  // It may exist already: written by this call, or by its first delivery.
  const there = await findOn(at, id)
  if (there.ok) return { ok: true, output }
  return err('write_outcome_unknown', { after: code })
}

function uidOf(capability: string): string {
  const hex = [...new TextEncoder().encode(capability)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `pfar-${hex.join('').slice(0, 64)}`
}

/** The named calendar, otherwise the default one, otherwise the first that can be written to. */
async function pathFor(at: At): Promise<Result<string>> {
  const found = await calendarsIn(at.server, at.settings.home)
  if (!found.ok) return found
  const into = writtenTo(at, found.value)
  return into.ok ? ok(into.value.path) : into
}

function writtenTo(
  { call, settings, powers }: Pick<At, 'call' | 'settings' | 'powers'>,
  calendars: readonly DavCalendar[],
): Result<DavCalendar> {
  const wanted = call.args['calendar'] ?? powers.standard
  const named = typeof wanted === 'string' ? calendars.filter((one) => isCalled(settings, one, wanted)) : []
  if (call.args['calendar'] !== undefined && named.length !== 1)
    return err('tool_arguments_invalid', {
      rule: named.length === 0 ? 'calendar_unknown' : 'calendar_ambiguous',
    })
  const into = named[0] ?? calendars.find((one) => one.writable && isChosen(settings, one))
  return into?.writable === true ? ok(into) : err('tool_arguments_invalid', { rule: 'calendar_read_only' })
}

/**
 * Name of the calendar of a write, for its card: that of the event's path, or the one for a new event. Null if there is only one
 * calendar, or the name cannot be looked up.
 */
export async function nameOfWritten(at: At, path: string | null): Promise<string | null> {
  const found = await calendarsIn(at.server, at.settings.home)
  if (!found.ok || found.value.filter(({ writable }) => writable).length < 2) return null
  const into = writtenTo(at, found.value)
  const own = path === null ? undefined : found.value.find((one) => path.startsWith(one.path))
  const one = path === null ? (into.ok ? into.value : undefined) : own
  return one === undefined ? null : nameOf(one)
}

export async function updateOn(at: At): Promise<ToolOutcome> {
  const { call, server } = at
  const { args } = call
  const found = await findShown(at)
  if (!found.ok) return found
  const { resource, calendar, series, occurrence } = found.value
  const shift = shiftIn(found.value, at)
  if (!shift.ok) return shift
  const times = shift.value === null ? timesAfter(args, occurrence) : ok(null)
  if (!times.ok) return times
  const invite = addressesIn(args['invite'])
  const uninvite = addressesIn(args['uninvite'])
  const { title, location } = args
  const note =
    args['note'] === undefined ? null : noteWith(textOf(occurrence.item, 'description'), args['note'])
  if (note?.ok === false) return note
  const isAny =
    note !== null ||
    times.value !== null ||
    shift.value !== null ||
    title !== undefined ||
    location !== undefined
  if (!isAny && invite.length === 0 && uninvite.length === 0)
    return err('tool_arguments_invalid', { rule: 'nothing_to_change' })
  const organizer = at.own[0] ?? null
  if (invite.length > 0 && organizer === null) return err('service_address_missing')
  const { named } = found.value
  const after = shift.value?.after ?? times.value
  if (shift.value !== null) {
    const done = changeSeries(calendar, series, { ...shift.value, owner: zoneOf(at.powers) })
    if (!done.ok) return done
  }
  const was = titleOf(occurrence.item)
  const { from, to } = occurrence
  const before = beforeOf(args, { from, to, title: was, location: placeOf(occurrence.item) })
  const body = changeEvent(
    calendar,
    { series, occurrence },
    {
      ...(typeof title === 'string' && { title }),
      ...(typeof location === 'string' && { location }),
      ...(note !== null && { note: note.value }),
      ...{ times: times.value, invite, uninvite, organizer, now: call.capability.claims.issuedAt },
    },
  )
  const written = await writeResource(server, { path: resource.path, etag: resource.etag, body })
  if (!written.ok) return { ok: false, reason: failureOf(written.reason) }
  const now = typeof title === 'string' ? title : was
  const told = invite.length > 0 ? { guestsTold: at.settings.invites } : toldOf(at, [occurrence.item])
  return {
    ok: true,
    output: {
      ...{ ...changed(at, found.value, now), ...told, ...(after ?? { from: named.from, to: named.to }) },
      ...(shift.value === null ? before : wholeBefore(args, named)),
      ...(isWhole(occurrence) && { series: true }),
      ...(typeof args['until'] === 'string' && { until: args['until'] }),
    },
  }
}

/**
 * Null for a change that affects neither the times nor the end of a series. Refusals: series_whole, series_unfit, and those of
 * the times.
 */
export function shiftIn(
  { occurrence, named }: Pick<FoundOn, 'occurrence' | 'named'>,
  { call: { args }, powers }: Pick<At, 'call' | 'powers'>,
): Result<Shift | null> {
  if (!isWhole(occurrence) || !isOfWhole(args)) return ok(null)
  const owner = zoneOf(powers)
  const shift = shiftOf(args, ruleTimes(named, occurrence), { owner, series: clockOf(occurrence, owner) })
  const last = shift.ok ? shift.value.last : null
  return last !== null && last < dayOf(occurrence.from, owner)
    ? err('series_unfit', { rule: 'until' })
    : shift
}

/** Whether guests are notified; a server that does so always does (RFC 6638). Empty for an event without guests. */
function toldOf({ settings, own }: At, items: readonly Parameters<typeof guestsOf>[0][]): object {
  const others = items.flatMap((item) => guestsOf(item)).filter(({ email }) => !own.includes(email))
  return others.length === 0 ? {} : { guestsTold: settings.invites }
}

function addressesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((one) => String(one).toLowerCase()) : []
}

function changed({ settings }: At, { resource, occurrence }: FoundOn, title: string): object {
  const calendar = resource.path.slice(0, resource.path.lastIndexOf('/') + 1)
  return {
    id: idOf(calendarId(settings, resource.path), occurrence.rid),
    ...(title !== '' && { title }),
    calendarId: calendarId(settings, calendar),
  }
}

/** An event that does not exist any more counts as deleted, as at a second delivery. */
export async function deleteOn(at: At): Promise<ToolOutcome> {
  const { call, server } = at
  const gone = { ok: true, output: { id: String(call.args['id']), gone: true } } as const
  const found = await findShown(at)
  if (!found.ok) return found.reason.code === 'remote_not_found' ? gone : found
  const { resource, calendar, series, occurrence } = found.value
  const { from, to, item } = occurrence
  const title = titleOf(item)
  const left = withoutOccurrence(calendar, { series, occurrence }, call.capability.claims.issuedAt)
  const version = { path: resource.path, etag: resource.etag }
  const done =
    left === null
      ? await deleteResource(server, version)
      : await writeResource(server, { ...version, body: left })
  if (!done.ok)
    return done.reason.code === 'remote_not_found' ? gone : { ok: false, reason: failureOf(done.reason) }
  const id = idOf(calendarId(at.settings, resource.path), occurrence.rid)
  // A series has no single time by which it could be restored as one event.
  const times = isWhole(occurrence) ? { series: true } : { from, to }
  return { ok: true, output: { id, ...(title !== '' && { title }), ...toldOf(at, [item]), ...times } }
}

/** Changes only the owner's own participation status. */
export async function respondOn(at: At): Promise<ToolOutcome> {
  const { call, server, own } = at
  const { answer, version } = call.args
  // The version comes from the card, which shows who receives the answer.
  if (version === undefined) return err('organizer_unknown')
  const found = await findShown(at)
  if (!found.ok) return found
  const { resource, calendar, series, occurrence } = found.value
  if (organizerOf(occurrence.item, own) === null) return err('not_invited')
  const { from, to, item } = occurrence
  const title = titleOf(item)
  const now = call.capability.claims.issuedAt
  const body = answerIn(calendar, { series, occurrence }, { answer: String(answer), own, now })
  if (body === null) return err('not_invited')
  const written = await writeResource(server, { path: resource.path, etag: resource.etag, body })
  if (!written.ok) return { ok: false, reason: failureOf(written.reason) }
  return { ok: true, output: { ...changed(at, found.value, title), from, to, answer } }
}
