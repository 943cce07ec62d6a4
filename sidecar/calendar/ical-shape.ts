/**
 * Converts occurrences of iCalendar to the declared fields of an event. Titles, places and names are untrusted text: the sender
 * of an invitation writes them. Must not change what it reads. Called by caldav.ts and ics.ts.
 */
import { cleanLine } from '../../integrations/extractors/page-clean.ts'
import { EVENT_TEXT, MAX_ATTENDEES } from '../../integrations/tools/calendar/fields.ts'
import { wholeOf } from '../../integrations/tools/calendar/read.ts'
import type { ShapedEvent } from '../../integrations/tools/calendar/shape.ts'
import { isAddress } from '../../integrations/tools/reading.ts'
import { type Component, type Occurrence, textOf } from './ical.ts'

/** Maximum UTF-16 units of an id that the kernel accepts. */
const MAX_ID = 256

export interface Guest {
  readonly email: string
  readonly name: string
  readonly answer: string
}

export interface ShapedIn {
  /** The first part of the id; the occurrence follows. */
  readonly id: string
  readonly calendarId: string
  /** Name of the calendar; null for one that needs no name. */
  readonly calendar: string | null
  /** The owner's addresses. */
  readonly own: readonly string[]
}

export function shapeOccurrence(
  occurrence: Occurrence,
  { id, calendarId, calendar, own }: ShapedIn,
): ShapedEvent {
  const { item, rid, from, to, allDay } = occurrence
  const all = guestsOf(item)
  const answer = answerOf(item, all, own)
  const location = placeOf(item)
  const people = all.filter(({ email }) => isAddress(email)).slice(0, MAX_ATTENDEES)
  return {
    id: idOf(id, rid),
    title: titleOf(item),
    ...{ from, to, allDay },
    ...(location !== '' && { location }),
    attendees: all.length,
    people: people.map(({ email, name, answer: said }) => ({
      email,
      ...(name !== '' && { name }),
      answer: said,
    })),
    ...(answer !== null && { answer }),
    busy: textOf(item, 'transp').toUpperCase() !== 'TRANSPARENT' && answer !== 'declined',
    calendarId,
    ...(calendar !== null && calendar !== '' && { calendar }),
  }
}

/** The declared fields of an event, with note and organizer. */
export function shapeWhole(occurrence: Occurrence, into: ShapedIn): object {
  const { item } = occurrence
  return wholeOf(shapeOccurrence(occurrence, into), {
    note: textOf(item, 'description'),
    organizer: organizerOf(item, into.own),
  })
}

/** Truncated if too long; such an id then finds nothing, so nothing is changed. */
export function idOf(id: string, rid: string | null): string {
  const end = rid === null ? '' : `#${rid}`
  return `${id.slice(0, MAX_ID - end.length)}${end}`
}

export function placeOf(item: Component): string {
  return cleanLine(textOf(item, 'location'), EVENT_TEXT.location)
}

export function titleOf(item: Component): string {
  return cleanLine(textOf(item, 'summary'), EVENT_TEXT.title)
}

/** The owner's participation status; `tentative` for an event that is itself tentative. */
function answerOf(item: Component, guests: readonly Guest[], own: readonly string[]): string | null {
  const mine = guests.find(({ email }) => own.includes(email))
  if (mine !== undefined) return mine.answer
  return textOf(item, 'status').toUpperCase() === 'TENTATIVE' ? 'tentative' : null
}

const ANSWERS: Readonly<Record<string, string>> = Object.freeze({
  ...{ ACCEPTED: 'accepted', DECLINED: 'declined', TENTATIVE: 'tentative' },
})

export function guestsOf(item: Component): readonly Guest[] {
  return item.getAllProperties('attendee').map((one) => {
    const name = one.getParameter('cn')
    const answer = String(one.getParameter('partstat') ?? '').toUpperCase()
    return {
      email: addressOf(one.getFirstValue()),
      name: typeof name === 'string' ? cleanLine(name, 200) : '',
      answer: Object.hasOwn(ANSWERS, answer) ? (ANSWERS[answer] ?? 'none') : 'none',
    }
  })
}

/** Address of the organizer; null if that is the owner, or nobody. */
export function organizerOf(item: Component, own: readonly string[]): string | null {
  const email = addressOf(item.getFirstPropertyValue('organizer'))
  return own.includes(email) || !isAddress(email) ? null : email
}

/** In lower case; empty if the value is no mail address. */
export function addressOf(value: unknown): string {
  return typeof value === 'string' ? (/^mailto:(.+)$/i.exec(value.trim())?.[1] ?? '').toLowerCase() : ''
}
