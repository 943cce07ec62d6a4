/**
 * Converts Google Calendar's resources to the declared fields, and arguments to spans. Titles and places are outside text:
 * whoever sends an invitation writes them. Pure; must not send requests. Called by run.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine, toDate, toInstant, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, idOf, isAddress, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { EVENT_TEXT, MAX_ATTENDEES, MAX_DAYS, MAX_SLOTS } from './manifest.ts'
import { type Span, slotsOf } from './slots.ts'

const DAY = 86_400_000
const CLOCKLESS = 10

/** `from` and `to` of a call. Dates without a time begin at midnight UTC. Refusal: tool_arguments_invalid. */
export function spanOf(args: { readonly [key: string]: Json }): Result<Span> {
  const start = Date.parse(String(args['from']))
  const end = Date.parse(String(args['to']))
  // Written so that NaN is refused.
  if (!(start < end)) return err('tool_arguments_invalid', { rule: 'from_before_to' })
  if (end - start > MAX_DAYS * DAY) return err('tool_arguments_invalid', { rule: 'span', days: MAX_DAYS })
  return ok({ start, end })
}

/** Google's format: an instant, or a date if the argument names whole days. */
export function googleTime(date: string): { readonly date: string } | { readonly dateTime: string } {
  if (date.length === CLOCKLESS) return { date }
  return { dateTime: toInstant(Date.parse(date)) ?? date }
}

/** Returns exactly `slots`, nothing else of the calendar. */
export function shapeFreeBusy(answer: JsonRecord, within: Span): Result<object> {
  const calendar = recordOf(recordOf(answer, 'calendars'), 'primary')
  // An empty record would read as "free all day".
  if (recordsOf(calendar, 'errors').length > 0 || !Array.isArray(fieldOf(calendar, 'busy')))
    return err('tool_result_invalid', { rule: 'freebusy' })
  const spans = recordsOf(calendar, 'busy').map((span) => ({
    start: Date.parse(stringOf(span, 'start')),
    end: Date.parse(stringOf(span, 'end')),
  }))
  if (spans.some(({ start, end }) => Number.isNaN(start) || Number.isNaN(end)))
    return err('tool_result_invalid', { rule: 'freebusy' })
  const slots = slotsOf(spans, within)
  if (slots.length > MAX_SLOTS) return err('tool_result_invalid', { rule: 'slots', max: MAX_SLOTS })
  return ok({
    slots: slots.map(({ start, end, busy }) => ({ from: toInstant(start), to: toInstant(end), busy })),
  })
}

/** Null for a cancelled event. */
export function shapeEvent(event: JsonRecord): Result<object | null> {
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
  })
}

const ANSWERS: Readonly<Record<string, string>> = Object.freeze({
  ...{ accepted: 'accepted', declined: 'declined', tentative: 'tentative' },
})

/** Attendees with an address; a room or a group without one is only counted. */
function peopleOf(event: JsonRecord): readonly object[] {
  return recordsOf(event, 'attendees')
    .filter((one) => isAddress(stringOf(one, 'email')))
    .slice(0, MAX_ATTENDEES)
    .map((one) => {
      const name = cleanLine(stringOf(one, 'displayName'), 200)
      const answer = stringOf(one, 'responseStatus')
      return {
        email: stringOf(one, 'email'),
        ...(name === '' ? {} : { name }),
        answer: Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : 'none',
      }
    })
}

/** What a change or a deletion returns of an event. */
export function shapeChanged(event: JsonRecord): Result<{ readonly from: string; readonly to: string }> {
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
  return ok({ id, ...(link === null ? {} : { link }), ...times })
}

function timesOf(event: JsonRecord): { readonly from: string; readonly to: string } | null {
  const from = timeOf(recordOf(event, 'start'))
  const to = timeOf(recordOf(event, 'end'))
  return from === null || to === null ? null : { from, to }
}

function timeOf(time: JsonRecord): string | null {
  return toDate(stringOf(time, 'dateTime') || stringOf(time, 'date'))
}
