/**
 * Writes iCalendar with ical.js: a new event, and a change of one event or one occurrence, which leaves everything else
 * unchanged. Texts are cleaned before they are escaped, so that none can add a property. Pure: times come as arguments. Called by
 * caldav-write.ts.
 */
import ICAL from 'ical.js'
import { createZone } from '../../integrations/dates/zone.ts'
import { cleanLine, cleanText } from '../../integrations/extractors/page-clean.ts'
import { EVENT_TEXT } from '../../integrations/tools/calendar/fields.ts'
import { type Component, isRepeating, type Occurrence, type Series, textOf } from './ical.ts'
import { addressOf } from './ical-shape.ts'
import { zoneComponent } from './vtimezone.ts'

export interface NewSeries {
  /** RRULE value; times of day are in `zone`. */
  readonly rule: string
  readonly zone: string
  /** Excluded times in `zone`: `20261224T180000`, or `20261224` for all-day events. */
  readonly except: readonly string[]
}

export interface NewEvent {
  readonly uid: string
  readonly title: string
  readonly from: string
  readonly to: string
  readonly location?: string
  readonly note?: string
  readonly attendees: readonly string[]
  /** The owner's address; null if nobody is invited. */
  readonly organizer: string | null
  /** Null for a single event. */
  readonly series: NewSeries | null
  /** Epoch milliseconds. */
  readonly now: number
}

export function newCalendar(event: NewEvent): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//PFAR//EN')
  const item = new ICAL.Component('vevent')
  item.addPropertyWithValue('uid', event.uid)
  item.addPropertyWithValue('dtstamp', utc(event.now))
  setTimes(item, event)
  if (event.series !== null) repeatBy(calendar, item, event.series)
  item.addPropertyWithValue('summary', cleanLine(event.title, EVENT_TEXT.title))
  const { location, note } = event
  if (location !== undefined) setText(item, 'location', cleanLine(location, EVENT_TEXT.location))
  if (note !== undefined) setText(item, 'description', cleanText(note, MAX_NOTE))
  if (event.organizer !== null) invite(item, event.attendees, event.organizer)
  calendar.addSubcomponent(item)
  return calendar.toString()
}

/** Converts the times to their time zone, so that the rule keeps the time of day. */
function repeatBy(calendar: Component, item: Component, { rule, zone, except }: NewSeries): void {
  const moments = (['dtstart', 'dtend'] as const).map(
    (name) => [name, item.getFirstPropertyValue(name)] as const,
  )
  const [[, start] = []] = moments
  if (!(start instanceof ICAL.Time)) return
  item.addPropertyWithValue('rrule', ICAL.Recur.fromString(rule))
  for (const stamp of except) {
    const left = new ICAL.Property('exdate')
    const isUtc = zone === 'UTC' && !start.isDate
    setMoment(left, {
      time: ICAL.Time.fromString(spelt(stamp, isUtc), undefined as never),
      tzid: isUtc ? null : zone,
    })
    item.addProperty(left)
  }
  // UTC needs no VTIMEZONE.
  if (start.isDate || zone === 'UTC') return
  calendar.addSubcomponent(zoneComponent(zone, start.toUnixTime() * 1_000))
  for (const [name, time] of moments)
    if (time instanceof ICAL.Time) moveTo(item, name, { time: onClock(time, zone), tzid: zone })
}

/** In the form that the library reads: `2026-12-24T18:00:00`. */
function spelt(stamp: string, isUtc: boolean): string {
  const text = stamp.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)(\d\d)$/, 'T$1:$2:$3')
  return isUtc ? `${text}Z` : text
}

function onClock(time: ICAL.Time, zone: string): ICAL.Time {
  const wall = new Date(createZone(zone).wallOf(time.toUnixTime() * 1_000))
  return ICAL.Time.fromData({
    ...{ year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() },
    ...{ hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), second: wall.getUTCSeconds() },
  })
}

export interface EventChange {
  readonly title?: string
  readonly location?: string
  /** Replaces the whole note. */
  readonly note?: string
  /** Null: the time stays. */
  readonly times: { readonly from: string; readonly to: string } | null
  readonly invite: readonly string[]
  readonly uninvite: readonly string[]
  /** The owner's address; null: unknown. */
  readonly organizer: string | null
  readonly now: number
}

/** Changes the event, or only one occurrence of a series. */
export function changeEvent(calendar: Component, found: Found, change: EventChange): string {
  const item = itemOf(calendar, found)
  if (change.title !== undefined) setText(item, 'summary', cleanLine(change.title, EVENT_TEXT.title))
  if (change.location !== undefined)
    setText(item, 'location', cleanLine(change.location, EVENT_TEXT.location))
  if (change.note !== undefined) setText(item, 'description', cleanText(change.note, MAX_NOTE))
  if (change.times !== null) setTimes(item, change.times)
  for (const one of item.getAllProperties('attendee'))
    if (change.uninvite.includes(addressOf(one.getFirstValue()))) item.removeProperty(one)
  const there = item.getAllProperties('attendee').map((one) => addressOf(one.getFirstValue()))
  const added = change.invite.filter((one) => !there.includes(one) && !change.uninvite.includes(one))
  if (added.length > 0 && change.organizer !== null) invite(item, added, change.organizer)
  touch(item, change.now)
  return calendar.toString()
}

/** Maximum UTF-16 units of a note that text is appended to. */
const MAX_NOTE = 10_000

export interface Found {
  readonly series: Series
  readonly occurrence: Occurrence
}

/** Excludes the occurrence from a series; null: the event is the whole resource, which is to be deleted. */
export function withoutOccurrence(
  calendar: Component,
  { series, occurrence }: Found,
  now: number,
): string | null {
  const { master } = series
  if (occurrence.rid === null) return null
  if (occurrence.item !== master) calendar.removeSubcomponent(occurrence.item)
  if (master === null) return calendar.getAllSubcomponents('vevent').length === 0 ? null : calendar.toString()
  const excluded = new ICAL.Property('exdate')
  setMoment(excluded, occurrence.original)
  master.addProperty(excluded)
  touch(master, now)
  return calendar.toString()
}

/** False if no attendee is the owner. */
export function answerIn(
  calendar: Component,
  found: Found,
  { answer, own, now }: { readonly answer: string; readonly own: readonly string[]; readonly now: number },
): string | null {
  const item = itemOf(calendar, found)
  const mine = item.getAllProperties('attendee').find((one) => own.includes(addressOf(one.getFirstValue())))
  if (mine === undefined) return null
  mine.setParameter('partstat', answer.toUpperCase())
  mine.removeParameter('rsvp')
  setTime(item, 'dtstamp', utc(now))
  return calendar.toString()
}

/** The event itself, or the exception for the occurrence, which is created if missing. */
function itemOf(calendar: Component, { series: { master }, occurrence }: Found): Component {
  const { item, rid, original } = occurrence
  if (rid === null || item !== master || !isRepeating(item)) return item
  const exception = new ICAL.Component(structuredClone(item.toJSON()))
  for (const name of ['rrule', 'rdate', 'exdate', 'exrule']) exception.removeAllProperties(name)
  const id = new ICAL.Property('recurrence-id')
  setMoment(id, original)
  exception.addProperty(id)
  const end = endOf(item, original.time)
  exception.removeAllProperties('duration')
  moveTo(exception, 'dtstart', original)
  moveTo(exception, 'dtend', { time: end, tzid: original.tzid })
  calendar.addSubcomponent(exception)
  return exception
}

/** End of an occurrence with this start, in the zone of the start. */
function endOf(item: Component, time: ICAL.Time): ICAL.Time {
  const start: unknown = item.getFirstPropertyValue('dtstart')
  const end: unknown = item.getFirstPropertyValue('dtend')
  const given: unknown = item.getFirstPropertyValue('duration')
  const length =
    start instanceof ICAL.Time && end instanceof ICAL.Time
      ? end.subtractDateTz(start)
      : given instanceof ICAL.Duration
        ? given
        : ICAL.Duration.fromSeconds(time.isDate ? 86_400 : 0)
  const moved = time.clone()
  moved.addDuration(length)
  return moved
}

type Moment = Occurrence['original']

function moveTo(item: Component, name: 'dtstart' | 'dtend', moment: Moment): void {
  item.removeAllProperties(name)
  const property = new ICAL.Property(name)
  setMoment(property, moment)
  item.addProperty(property)
}

function setMoment(property: ICAL.Property, { time, tzid }: Moment): void {
  if (time.isDate) property.resetType('date')
  property.setValue(time)
  if (tzid !== null && !time.isDate) property.setParameter('tzid', tzid)
}

function setTimes(item: Component, { from, to }: { readonly from: string; readonly to: string }): void {
  item.removeAllProperties('duration')
  setTime(item, 'dtstart', timeFrom(from))
  setTime(item, 'dtend', timeFrom(to))
}

function setTime(item: Component, name: string, time: ICAL.Time): void {
  item.removeAllProperties(name)
  const property = new ICAL.Property(name)
  if (time.isDate) property.resetType('date')
  property.setValue(time)
  item.addProperty(property)
}

/** Length of a date without a time, in characters. */
const CLOCKLESS = 10

function timeFrom(text: string): ICAL.Time {
  return text.length === CLOCKLESS ? ICAL.Time.fromDateString(text) : utc(Date.parse(text))
}

function utc(at: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(Math.floor(at / 1_000) * 1_000), true)
}

function setText(item: Component, name: string, text: string): void {
  item.removeAllProperties(name)
  item.addPropertyWithValue(name, text)
}

/** A guest's calendar recognises a newer version by its sequence number (RFC 5546). */
function touch(item: Component, now: number): void {
  const sequence: unknown = item.getFirstPropertyValue('sequence')
  item.removeAllProperties('sequence')
  item.addPropertyWithValue('sequence', typeof sequence === 'number' ? sequence + 1 : 1)
  setTime(item, 'dtstamp', utc(now))
  if (item.hasProperty('last-modified')) setTime(item, 'last-modified', utc(now))
}

function invite(item: Component, addresses: readonly string[], organizer: string): void {
  if (textOf(item, 'organizer') === '') item.addPropertyWithValue('organizer', `mailto:${organizer}`)
  for (const address of addresses) {
    const one = new ICAL.Property('attendee')
    one.setParameter('partstat', 'NEEDS-ACTION')
    one.setParameter('rsvp', 'TRUE')
    one.setValue(`mailto:${address}`)
    item.addProperty(one)
  }
}
