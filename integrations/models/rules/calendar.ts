/**
 * Events in words: by day with local times, and one that was created. Titles are a stranger's and stay in their
 * line. Must not compute free time: see free.ts. Called by answer.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { type Clock, date, dateAndName, dayOf, midnight, time } from './clock.ts'
import { isTrue, itemsOf, numberOf, textOf } from './content.ts'
import type { Said } from './said.ts'
import { counted, line } from './text.ts'
import { CALENDAR } from './words.ts'

/** Most days that one event is repeated under: a year-long one is no list of a year. */
const MOST_DAYS = 62

interface Event {
  readonly from: number
  readonly to: number
  readonly allDay: boolean
  readonly text: string
}

export function eventList(content: Json, clock: Clock, said: Said): string {
  const events = itemsOf(content, 'events')
    .flatMap((item) => eventOf(item, clock))
    .sort((a, b) => a.from - b.from)
  if (events.length === 0) return `Nothing on your calendar ${spanWords(said, clock)}.`
  const days = [...new Set(events.flatMap((event) => daysOf(event, said, clock)))].sort((a, b) => a - b)
  const blocks = days.map((day) => {
    const rows = events.filter((event) => daysOf(event, said, clock).includes(day))
    return [`${dateAndName(day, clock.now)}:`, ...rows.map((event) => `- ${rowOf(event, day)}`)].join('\n')
  })
  return [...blocks, ...(isTrue(content, 'more') ? [CALENDAR.more] : [])].join('\n')
}

/** `title` is the result's own where it has one, else what the owner typed. */
export function eventCreated(content: Json, clock: Clock, title: string): string {
  const from = clock.read(textOf(content, 'from'))
  const to = clock.read(textOf(content, 'to'))
  const name = line(textOf(content, 'title')) || line(title)
  const when = from === null || to === null ? '' : rangeWords(from, to, clock.now)
  const what = [name, when].filter((part) => part !== '').join(', ')
  return what === '' ? `${CALENDAR.booked}.` : `${CALENDAR.booked}: ${what}.`
}

/** `Fri 27 Nov, 13:00–14:00`, `Fri 27 Nov, all day`, `Mon 23 Nov – Wed 25 Nov`. */
function rangeWords(from: number, to: number, now: number): string {
  const first = dayOf(from)
  const last = lastDayOf(from, to)
  const whole = from === midnight(first) && to === midnight(last + 1)
  if (whole && first === last) return `${date(first, now)}, ${CALENDAR.allDay}`
  if (whole) return `${date(first, now)} – ${date(last, now)}`
  if (first === last) return `${date(first, now)}, ${time(from)}–${time(to, first)}`
  return `${date(first, now)}, ${time(from)} – ${date(dayOf(to), now)}, ${time(to)}`
}

/** End of a sentence: `for Mon 23 Nov (tomorrow)`, `for Mon 23 Nov – Sun 29 Nov`. */
function spanWords(said: Said, clock: Clock): string {
  const from = clock.read(said.from)
  const to = clock.read(said.to)
  if (from === null || to === null) return 'then'
  const single = said.wholeDay && lastDayOf(from, to) === dayOf(from)
  return `for ${single ? dateAndName(dayOf(from), clock.now) : rangeWords(from, to, clock.now)}`
}

function eventOf(item: Json, clock: Clock): readonly Event[] {
  const from = clock.read(textOf(item, 'from'))
  const to = clock.read(textOf(item, 'to'))
  if (from === null || to === null) return []
  const place = line(textOf(item, 'location'), 80)
  const people = numberOf(item, 'attendees') ?? 0
  const notes = [...(place === '' ? [] : [place]), ...(people > 0 ? [counted(people, 'attendee')] : [])]
  const title = line(textOf(item, 'title')) || CALENDAR.noTitle
  const text = notes.length === 0 ? title : `${title} (${notes.join(', ')})`
  return [{ from, to: Math.max(to, from), allDay: isTrue(item, 'allDay'), text }]
}

/** Days of an event that were asked about. */
function daysOf(event: Event, said: Said, clock: Clock): readonly number[] {
  const from = clock.read(said.from)
  const to = clock.read(said.to)
  const first = Math.max(dayOf(event.from), from === null ? -Infinity : dayOf(from))
  const last = Math.min(
    lastDayOf(event.from, event.to),
    from === null || to === null ? Infinity : lastDayOf(from, to),
  )
  if (last < first) return [dayOf(event.from)]
  return Array.from({ length: Math.min(last - first + 1, MOST_DAYS) }, (_, index) => first + index)
}

function rowOf(event: Event, day: number): string {
  if (event.allDay) return `${CALENDAR.allDay}: ${event.text}`
  const start = event.from < midnight(day) ? '00:00' : time(event.from)
  const end = event.to > midnight(day + 1) ? '24:00' : time(event.to, day)
  return start === end ? `${start} ${event.text}` : `${start}–${end} ${event.text}`
}

/** The day that an exclusive end still belongs to. */
function lastDayOf(from: number, to: number): number {
  return Math.max(dayOf(from), dayOf(to - 1))
}
