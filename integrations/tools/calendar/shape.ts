/**
 * Converts Google Calendar's resources to the declared fields, and arguments to spans. Titles and places are untrusted text: the
 * sender of an invitation writes them. Pure; must not send requests. Called by the files of this folder.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine, toDate, toInstant, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, idOf, isAddress, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import type { Calendar } from './calendars.ts'
import { EVENT_TEXT, MAX_ATTENDEES, MAX_DAYS, MAX_SLOTS } from './fields.ts'
import { type Span, slotsOf } from './slots.ts'

const DAY = 86_400_000
const CLOCKLESS = 10

export interface ShapedEvent {
  readonly id: string
  readonly title: string
  readonly from: string
  readonly to: string
  /** Whether the event marks its time as busy. */
  readonly busy: boolean
  readonly answer?: string
  readonly calendarId: string
  readonly calendar?: string
  readonly allDay: boolean
  readonly location?: string
  readonly attendees: number
  readonly people: readonly Person[]
}

/** An invited person, with an address. */
export interface Person {
  readonly email: string
  readonly name?: string
  readonly answer: string
}

/** `from` and `to` of a call. Dates without a time begin at midnight UTC. Refusal: tool_arguments_invalid. */
export function spanOf(args: { readonly [key: string]: Json }): Result<Span> {
  const start = Date.parse(String(args['from']))
  const end = Date.parse(String(args['to']))
  // In this form the condition also refuses NaN.
  if (!(start < end)) return err('tool_arguments_invalid', { rule: 'from_before_to' })
  if (end - start > MAX_DAYS * DAY) return err('tool_arguments_invalid', { rule: 'span', days: MAX_DAYS })
  return ok({ start, end })
}

/** The span of an event to write: both ends are dates, or both are times. Refusal: tool_arguments_invalid. */
export function writtenSpan(args: { readonly [key: string]: Json }): Result<Span> {
  const isDay = (name: string): boolean => String(args[name]).length === CLOCKLESS
  return isDay('from') === isDay('to')
    ? spanOf(args)
    : err('tool_arguments_invalid', { rule: 'days_or_times' })
}

/** Google's format: an instant, or a date if the argument names whole days. */
export function googleTime(date: string): { readonly date: string } | { readonly dateTime: string } {
  if (date.length === CLOCKLESS) return { date }
  return { dateTime: toInstant(Date.parse(date)) ?? date }
}

/** Busy spans of one calendar in the service's answer. An absent list would read as "free all day". */
export function busySpans(answer: JsonRecord, calendar: string): Result<readonly Span[]> {
  const found = recordOf(recordOf(answer, 'calendars'), calendar)
  if (recordsOf(found, 'errors').length > 0 || !Array.isArray(fieldOf(found, 'busy')))
    return err('tool_result_invalid', { rule: 'freebusy' })
  const spans = recordsOf(found, 'busy').map((span) => ({
    start: Date.parse(stringOf(span, 'start')),
    end: Date.parse(stringOf(span, 'end')),
  }))
  return spans.some(({ start, end }) => Number.isNaN(start) || Number.isNaN(end))
    ? err('tool_result_invalid', { rule: 'freebusy' })
    : ok(spans)
}

/** Returns exactly `slots`, nothing else of the calendars. */
export function shapeSlots(spans: readonly Span[], within: Span): Result<object> {
  const slots = slotsOf(spans, within)
  if (slots.length > MAX_SLOTS) return err('tool_result_invalid', { rule: 'slots', max: MAX_SLOTS })
  return ok({
    slots: slots.map(({ start, end, busy }) => ({ from: toInstant(start), to: toInstant(end), busy })),
  })
}

/** Null for a cancelled event. */
export function shapeEvent(event: JsonRecord, calendar: Calendar): Result<ShapedEvent | null> {
  if (stringOf(event, 'status') === 'cancelled') return ok(null)
  const id = idOf(event, 'id')
  const times = timesOf(event)
  if (id === null || times === null) return err('tool_result_invalid', { rule: 'event' })
  const location = cleanLine(stringOf(event, 'location'), EVENT_TEXT.location)
  return ok({
    id,
    title: cleanLine(stringOf(event, 'summary'), EVENT_TEXT.title),
    ...times,
    allDay: stringOf(recordOf(event, 'start'), 'dateTime') === '',
    ...(location === '' ? {} : { location }),
    attendees: recordsOf(event, 'attendees').length,
    people: peopleOf(event),
    ...ownAnswer(event),
    calendarId: calendar.id,
    ...(calendar.isMain || calendar.name === '' ? {} : { calendar: calendar.name }),
  })
}

/** The owner's answer to an invitation, and whether the event marks the time as busy. */
function ownAnswer(event: JsonRecord): { readonly answer?: string; readonly busy: boolean } {
  const own = recordsOf(event, 'attendees').find((one) => one['self'] === true)
  const answer = own === undefined ? null : answerOf(own)
  const busy = stringOf(event, 'transparency') !== 'transparent' && answer !== 'declined'
  return { ...(answer !== null && { answer }), busy }
}

function answerOf(attendee: JsonRecord): string {
  return Object.hasOwn(ANSWERS, stringOf(attendee, 'responseStatus'))
    ? (ANSWERS[stringOf(attendee, 'responseStatus')] ?? 'none')
    : 'none'
}

const ANSWERS: Readonly<Record<string, string>> = Object.freeze({
  ...{ accepted: 'accepted', declined: 'declined', tentative: 'tentative' },
})

/** Attendees with an address; rooms and groups without one are only counted. */
function peopleOf(event: JsonRecord): readonly Person[] {
  return recordsOf(event, 'attendees')
    .filter((one) => isAddress(stringOf(one, 'email')))
    .slice(0, MAX_ATTENDEES)
    .map((one) => {
      const name = cleanLine(stringOf(one, 'displayName'), 200)
      return {
        email: stringOf(one, 'email'),
        ...(name === '' ? {} : { name }),
        answer: answerOf(one),
      }
    })
}

/** The fields of an event that a change or a deletion returns. */
export function shapeChanged(
  event: JsonRecord,
): Result<{ readonly title?: string; readonly from: string; readonly to: string }> {
  const id = idOf(event, 'id')
  const times = timesOf(event)
  if (id === null || times === null) return err('tool_result_invalid', { rule: 'event' })
  const title = cleanLine(stringOf(event, 'summary'), EVENT_TEXT.title)
  return ok({ id, ...(title === '' ? {} : { title }), ...times })
}

export function shapeCreated(event: JsonRecord): Result<object> {
  const id = idOf(event, 'id')
  const times = timesOf(event)
  if (id === null || times === null) return err('tool_result_invalid', { rule: 'event' })
  const link = toLink(stringOf(event, 'htmlLink'))
  const title = cleanLine(stringOf(event, 'summary'), EVENT_TEXT.title)
  return ok({ id, ...(title === '' ? {} : { title }), ...(link === null ? {} : { link }), ...times })
}

function timesOf(event: JsonRecord): { readonly from: string; readonly to: string } | null {
  const from = timeOf(recordOf(event, 'start'))
  const to = timeOf(recordOf(event, 'end'))
  return from === null || to === null ? null : { from, to }
}

function timeOf(time: JsonRecord): string | null {
  return toDate(stringOf(time, 'dateTime') || stringOf(time, 'date'))
}
