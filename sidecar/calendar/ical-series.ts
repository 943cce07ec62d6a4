/**
 * Changes a whole series in iCalendar with ical.js: time of day, length, last day and excluded times. Exceptions move along with
 * the series; an exception that was moved on its own keeps its time. Must not send requests. Called by caldav.ts and
 * caldav-write.ts.
 */
import ICAL from 'ical.js'
import { createZone } from '../../integrations/dates/zone.ts'
import type { Shift } from '../../integrations/tools/calendar/shift.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Component, Series } from './ical.ts'

/** Rule parts that set a time of day: the rule would then differ from the moved event. */
const CLOCKS = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/**
 * `owner`: the owner's zone, in which the last day ends. Refusal: series_whole for a rule that cannot be moved or ended; then
 * nothing is changed.
 */
export function changeSeries(
  calendar: Component,
  { master, exceptions }: Series,
  { by, length, last, owner }: Pick<Shift, 'by' | 'length' | 'last'> & { readonly owner: string },
): Result<true> {
  const rule: unknown = master?.getFirstPropertyValue('rrule')
  if (master === null || !(rule instanceof ICAL.Recur) || master.getAllProperties('rrule').length > 1)
    return err('series_whole')
  const seconds = by / 1_000
  if (master.hasProperty('exrule') || CLOCKS.some((part) => Object.hasOwn(rule.parts, part)))
    return err('series_whole')
  const dates = ['exdate', 'rdate'].flatMap((name) => master.getAllProperties(name))
  if (dates.some((one) => one.getValues().some((value) => !(value instanceof ICAL.Time))))
    return err('series_whole')
  if (length !== null) setLength(master, length / 1_000)
  for (const one of exceptions) moveException(one, { seconds, length })
  for (const name of ['dtstart', 'dtend']) moveProperty(master, name, seconds)
  for (const one of dates) one.setValues(one.getValues().map((value) => moved(value, seconds)))
  if (rule.until instanceof ICAL.Time && !rule.until.isDate)
    rule.until = moved(rule.until, seconds) as ICAL.Time
  if (last !== null)
    endOn(calendar, { master, exceptions, rule, end: createZone(owner).instantOf(last + 1, 0) })
  master.removeAllProperties('rrule')
  master.addPropertyWithValue('rrule', rule)
  return ok(true)
}

function moved(value: unknown, seconds: number): unknown {
  if (!(value instanceof ICAL.Time) || value.isDate || seconds === 0) return value
  const time = value.clone()
  time.adjust(0, 0, 0, seconds)
  return time
}

function moveProperty(item: Component, name: string, seconds: number): void {
  const property = item.getFirstProperty(name)
  const value: unknown = property?.getFirstValue()
  if (property !== null && value instanceof ICAL.Time) property.setValue(moved(value, seconds) as ICAL.Time)
}

function setLength(item: Component, seconds: number): void {
  const start = item.getFirstProperty('dtstart')
  const time: unknown = start?.getFirstValue()
  if (start === null || !(time instanceof ICAL.Time)) return
  for (const name of ['duration', 'dtend']) item.removeAllProperties(name)
  const then = time.clone()
  then.addDuration(ICAL.Duration.fromSeconds(seconds))
  const end = new ICAL.Property('dtend')
  if (then.isDate) end.resetType('date')
  end.setValue(then)
  const tzid = start.getParameter('tzid')
  if (typeof tzid === 'string') end.setParameter('tzid', tzid)
  item.addProperty(end)
}

/** Always moves the exception's place in the series; moves its time only if that is the time that the series gives it. */
function moveException(
  item: Component,
  { seconds, length }: { readonly seconds: number; readonly length: number | null },
): void {
  const [place, start]: readonly unknown[] = ['recurrence-id', 'dtstart'].map((name) =>
    item.getFirstPropertyValue(name),
  )
  if (!(place instanceof ICAL.Time) || !(start instanceof ICAL.Time)) return
  const isOwn = place.compare(start) !== 0
  moveProperty(item, 'recurrence-id', seconds)
  if (isOwn) return
  if (length !== null) setLength(item, length / 1_000)
  for (const name of ['dtstart', 'dtend']) moveProperty(item, name, seconds)
}

interface Ending extends Pick<Series, 'exceptions'> {
  readonly master: Component
  readonly rule: ICAL.Recur
  /** The instant at which the last day ends. */
  readonly end: number
}

/** Ends the series, and removes later times, including exceptions. */
function endOn(calendar: Component, { master, exceptions, rule, end }: Ending): void {
  const start: unknown = master.getFirstPropertyValue('dtstart')
  rule.count = null
  const until = ICAL.Time.fromJSDate(new Date(end - 1_000), true)
  if (start instanceof ICAL.Time && start.isDate) until.isDate = true
  rule.until = until
  const isBehind = (value: unknown): boolean =>
    value instanceof ICAL.Time && value.toUnixTime() * 1_000 >= end
  for (const one of exceptions)
    if (isBehind(one.getFirstPropertyValue('recurrence-id'))) calendar.removeSubcomponent(one)
  for (const one of master.getAllProperties('rdate')) {
    const left = one.getValues().filter((value) => !isBehind(value))
    if (left.length === 0) master.removeProperty(one)
    else one.setValues(left)
  }
}
