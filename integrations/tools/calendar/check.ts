/**
 * Facts for the card of a write: the event as it is now and its version, who is notified, and what else is at the new time in the
 * chosen calendars. Must not write. Called by google.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { isAddress, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { organizerOf } from './answer.ts'
import {
  type CalendarChoice,
  calendarAt,
  eventsPath,
  nameOfWritten,
  writableCalendars,
  writtenTo,
} from './calendars.ts'
import { allOf, eventIn, isOfSeries, isSeries, newSpan, tellsGuests, wholeIn } from './change.ts'
import { MAIN, MAX_ATTENDEES, MAX_OVERLAPS } from './fields.ts'
import { eventsIn } from './look.ts'
import { firstTimes, overlapsAt, type Times } from './rule.ts'
import { type ShapedEvent, shapeChanged } from './shape.ts'

/** Maximum number of events at that time that are examined. */
const LOOKED_AT = 25

interface Choice {
  readonly base: string
  readonly choice: CalendarChoice
  readonly zone: string | null
}

export interface FoundEvent {
  readonly event: JsonRecord
  readonly events: URL
}

/**
 * Refusals: remote_not_found for an event in none of the calendars that may be changed, those of the span, and those of
 * `callJson`.
 */
export async function checkEvent(call: ToolCall, at: Choice): Promise<ToolOutcome> {
  const isThere = call.args['id'] !== undefined
  const found = isThere ? await findEvent(call, at) : null
  if (found?.ok === false) return found
  const isNamed = call.args['calendar'] !== undefined
  const isTimed = call.args['from'] !== undefined
  const into = isThere || !(isNamed || isTimed) ? null : await writtenTo(call, at.base, at.choice)
  if (isNamed && into?.ok === false) return into
  const now = found === null ? null : shapeChanged(found.value.event)
  if (now?.ok === false) return now
  const whole =
    found === null ? null : await wholeIn(call, found.value.events, { ...found.value, zone: at.zone })
  if (whole?.ok === false) return whole
  const all = whole?.value ?? null
  const span =
    found === null || now === null
      ? null
      : all === null
        ? newSpan(call.args, found.value.event)
        : ok(all.after)
  if (span?.ok === false) return span
  const asked = found === null ? firstTimes(call.args, at.zone) : null
  if (asked?.ok === false) return asked
  const path =
    found === null ? (into?.ok === true && !isNamed ? into.value : null) : found.value.events.pathname
  const name = path === null ? null : await nameOfWritten(call, at.base, calendarAt(new URL(path, at.base)))
  const known = {
    ...(found !== null && now !== null && knownOf(call, found.value, { ...now.value, ...all?.named })),
    ...(name !== null && name !== '' && { into: name }),
  }
  // An answer to an invitation concerns the event's present time.
  const isAnswer = call.args['answer'] !== undefined
  const one = isAnswer && now !== null ? now.value : (span?.value ?? null)
  const times = asked?.value ?? (one === null ? null : [one])
  if (times === null) return { ok: true, output: known }
  const own =
    found === null
      ? null
      : {
          id: all === null ? stringOf(found.value.event, 'id') : call.args['id'],
          calendarId: calendarAt(found.value.events),
        }
  const after = own === null || isAnswer || one === null ? {} : { after: { from: one.from, to: one.to } }
  const overlaps = await overlapsAt(times, ({ from, to }) => overlapsOf(call, at, { from, to, own }))
  return { ok: true, output: { ...known, ...after, ...overlaps, ...(all !== null && { begin: true }) } }
}

function knownOf(
  { args }: ToolCall,
  { event }: FoundEvent,
  { title, from, to }: Times & { readonly title?: string },
): object {
  const version = stringOf(event, 'etag')
  const people = recordsOf(event, 'attendees').filter((one) => one['self'] !== true)
  const organizer = organizerOf(event)
  const guests = people.map((one) => stringOf(one, 'email')).filter(isAddress)
  return {
    event: { ...(title !== undefined && { title }), from, to },
    ...(isSeries(event) ? allOf(args) : isOfSeries(event) && { one: true }),
    ...(/^[\x21-\x7e]{1,200}$/.test(version) && { version }),
    ...(organizer !== null && { organizer }),
    ...(people.length > 0 && args['answer'] === undefined && !tellsGuests(args)
      ? { silent: true, ...(guests.length > 0 && { invited: guests.slice(0, MAX_ATTENDEES) }) }
      : {
          ...(guests.length > 0 && { guests: guests.slice(0, MAX_ATTENDEES) }),
          ...(people.length > Math.min(guests.length, MAX_ATTENDEES) && { others: true }),
        }),
  }
}

/** Events that occupy that time; a failed look-up is reported. */
async function overlapsOf(
  call: ToolCall,
  { base, choice }: Choice,
  { from, to, own }: Times & { readonly own: { readonly id: unknown; readonly calendarId: string } | null },
): Promise<object> {
  const span = { start: Date.parse(from), end: Date.parse(to) }
  const read = await eventsIn(call, { base, choice, span }, LOOKED_AT)
  if (!read.ok) return { unlooked: true }
  const { events, more, unread } = read.value
  const others = events.filter(
    ({ id, calendarId, busy }) => busy && !(own !== null && id === own.id && calendarId === own.calendarId),
  )
  return {
    overlaps: others.slice(0, MAX_OVERLAPS).map(overlapOf),
    more: more || others.length > MAX_OVERLAPS,
    partial: unread.length > 0,
  }
}

function overlapOf({ title, from, to, calendar, answer }: ShapedEvent): object {
  return {
    ...{ title: title === '' ? '(no title)' : title, from, to },
    ...(calendar !== undefined && { calendar }),
    ...(answer === 'tentative' && { answer }),
  }
}

/** Searches the named calendar; otherwise the main one, and then the others that may be changed. */
export async function findEvent(call: ToolCall, { base, choice }: Choice): Promise<Result<FoundEvent>> {
  if (call.args['calendar'] !== undefined) {
    const named = await writtenTo(call, base, choice)
    return named.ok ? foundIn(call, new URL(named.value, base)) : named
  }
  const first = await foundIn(call, new URL(eventsPath(MAIN), base))
  if (first.ok || first.reason.code !== 'remote_not_found') return first
  const others = await writableCalendars(call, base)
  if (!others.ok) return others
  for (const { id } of others.value) {
    const found = await foundIn(call, new URL(eventsPath(id), base))
    if (found.ok || found.reason.code !== 'remote_not_found') return found
  }
  return err('remote_not_found')
}

async function foundIn(call: ToolCall, events: URL): Promise<Result<FoundEvent>> {
  const answer = await eventIn(call, events)
  return answer.ok ? ok({ event: answer.value, events }) : answer
}
