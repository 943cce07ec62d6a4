/**
 * Reads iCalendar (RFC 5545) with ical.js: events by their UID, and the occurrences of one in a period, with its exceptions. The
 * sender of an invitation is untrusted, so the steps of a recurrence are bounded. Must not send requests. Called by caldav.ts,
 * ics.ts and sidecar/documents.
 */
import ICAL from 'ical.js'
import { createZone, DAY, type Zone } from '../../integrations/dates/zone.ts'
import type { Span } from '../../integrations/tools/calendar/slots.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { repairedCalendar, withDateValues } from './repaired-calendar.ts'
import { stampOf } from './stamp.ts'

export type Component = ICAL.Component

/**
 * Maximum number of steps of one recurrence: a daily event since 1950 takes 28,000. A rule without a second occurrence would
 * never end.
 */
const MAX_STEPS = 30_000
/** Maximum number of steps of one read, about three seconds. */
const MAX_ALL_STEPS = 200_000
/** Maximum interval of a rule: the library steps through single days, however large the interval is. */
const MAX_INTERVAL = 1_000
/** Maximum number of occurrences of one event in one period. */
const MAX_OCCURRENCES = 2_000

/** Counts every step of a rule, also of the rules of time zones. The library has no limit of its own. */
const steps = { left: 0 }
for (const [name, cost] of [
  ['check_contracting_rules', 1],
  ['expand_year_days', 20],
] as const) {
  const prototype = ICAL.RecurIterator.prototype as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >
  const own = prototype[name]
  if (own === undefined) throw new Error(`ical.js has no ${name}`)
  prototype[name] = function counted(this: unknown, ...given: unknown[]) {
    steps.left -= cost
    if (steps.left < 0) throw new Error('a repetition without an end')
    return own.apply(this, given)
  }
}

/** All components of a file with one UID. */
export interface Series {
  readonly uid: string
  /** Null if only single occurrences are known, as in an invitation to one of them. */
  readonly master: Component | null
  readonly exceptions: readonly Component[]
}

export interface Occurrence {
  readonly uid: string
  /** Id of the occurrence of a recurring event: its time by the rule; null for an event that does not recur. */
  readonly rid: string | null
  /** Component with the properties of the occurrence: its exception, or the event itself. */
  readonly item: Component
  /** Start by the rule; differs from the actual start for an exception that was moved. */
  readonly original: { readonly time: ICAL.Time; readonly tzid: string | null }
  readonly allDay: boolean
  /** Declared dates. */
  readonly from: string
  readonly to: string
  readonly span: Span
}

export interface Occurrences {
  readonly list: readonly Occurrence[]
  /** A time zone was unknown, so the owner's was used. */
  readonly unsure: boolean
  /** An event could not be read; it may be at any time. */
  readonly broken: boolean
}

/** Refusal: tool_result_invalid for a text that is no calendar. */
export function readCalendar(text: string): Result<Component> {
  try {
    const parsed: unknown = ICAL.parse(text.replace(/^\uFEFF/, ''))
    if (!Array.isArray(parsed)) return broken()
    // Several calendars in one file are merged.
    const all = (Array.isArray(parsed[0]) ? parsed : [parsed]).map((one) => new ICAL.Component(one))
    const [first, ...others] = all
    if (first === undefined || all.some(({ name }) => name !== 'vcalendar')) return broken()
    for (const other of others) for (const part of other.getAllSubcomponents()) first.addSubcomponent(part)
    return ok(first)
  } catch {
    return broken()
  }
}

/**
 * As `readCalendar`, for reading only: omits single invalid lines, and accepts all-day dates that are not marked as such
 * (repaired-calendar.ts).
 */
export function readWhatFits(text: string): Result<Component> {
  const said = withDateValues(text)
  const whole = readCalendar(said)
  const rest = whole.ok ? null : repairedCalendar(said.replace(/^\uFEFF/, ''))
  return rest === null ? whole : readCalendar(rest)
}

function broken(): Result<never> {
  return err('tool_result_invalid', { rule: 'icalendar' })
}

/** An event without a UID is a series of its own. */
export function seriesIn(calendar: Component): readonly Series[] {
  const found = new Map<string, { master: Component | null; exceptions: Component[] }>()
  for (const [at, event] of calendar.getAllSubcomponents('vevent').entries()) {
    const uid = textOf(event, 'uid') || `#${at}`
    const series = found.get(uid) ?? { master: null, exceptions: [] }
    if (event.hasProperty('recurrence-id')) series.exceptions.push(event)
    else series.master ??= event
    found.set(uid, series)
  }
  return [...found].map(([uid, series]) => ({ uid, ...series }))
}

/** Steps that one read has left, over all of its files. */
export interface Patience {
  left: number
}

export function newPatience(): Patience {
  return { left: MAX_ALL_STEPS }
}

/** Occurrences of all events of a file. */
export function occurrencesIn(
  all: readonly Series[],
  {
    span,
    timezone,
    patience,
  }: { readonly span: Span; readonly timezone: string; readonly patience: Patience },
): Occurrences {
  const list: Occurrence[] = []
  const seen = { unsure: false, broken: false }
  const zone = createZone(timezone)
  for (const series of all) {
    const before = Math.min(patience.left, MAX_STEPS)
    steps.left = before
    try {
      list.push(...occurrencesOf(series, { span, zone, seen }))
    } catch {
      seen.broken = true
    }
    patience.left -= before - Math.max(0, steps.left)
  }
  return { list, ...seen }
}

/**
 * The occurrence with this id, in any period; without an id the event itself, which may be a whole series. Null if there is none.
 */
export function occurrenceAt(series: Series, rid: string | null, timezone: string): Occurrence | null {
  if (rid === null && series.master !== null && isRepeating(series.master))
    return wholeOf(series.uid, series.master, timezone)
  const zone = createZone(timezone)
  const all = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  steps.left = MAX_STEPS
  const seen = { unsure: false, broken: false }
  try {
    for (const one of occurrencesOf(series, { span: all, zone, seen })) if (one.rid === rid) return one
  } catch {
    return null
  }
  return null
}

/** A whole series, with its first occurrence's time. */
function wholeOf(uid: string, item: Component, timezone: string): Occurrence | null {
  steps.left = MAX_STEPS
  const all = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  const look = { span: all, zone: createZone(timezone), seen: { unsure: false, broken: false } }
  try {
    const start = timeOf(item, 'dtstart')
    return isCancelled(item) ? null : occurrenceOf({ uid, item, rid: null, original: start, start }, look)
  } catch {
    return null
  }
}

/** Times of this occurrence by the rule, even if it was moved on its own. */
export function ruleTimes(named: Occurrence, whole: Occurrence): Pick<Occurrence, 'from' | 'to'> {
  const { rid } = named
  if (rid === null) return named
  const from = rid.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)(\d\d)Z$/, 'T$1:$2:$3Z')
  const end = Date.parse(from) + Date.parse(whole.to) - Date.parse(whole.from)
  return { from, to: whole.allDay ? dateText(end) : instantText(end) }
}

/** IANA name of the event's time zone; `owner` if it names none that is known. */
export function clockOf({ original }: Occurrence, owner: string): string {
  if (original.time.zone === ICAL.Timezone.utcTimezone) return 'UTC'
  return (original.tzid === null ? null : knownZone(original.tzid)) ?? owner
}

/** Whether it stands for the whole series, and not for one occurrence. */
export function isWhole({ rid, item }: Pick<Occurrence, 'rid' | 'item'>): boolean {
  return rid === null && isRepeating(item)
}

/** One event of a file, without expanding a recurrence. */
export interface SaidEvent {
  readonly item: Component
  readonly allDay: boolean
  /** Declared dates. */
  readonly from: string
  readonly to: string
  readonly repeats: boolean
  readonly cancelled: boolean
}

/** In file order, at most `most`; omits events without a readable start. `timezone`: for times that name no zone. */
export function eventsOf(calendar: Component, timezone: string, most: number): readonly SaidEvent[] {
  const look: Look = {
    ...{ span: { start: 0, end: 0 }, zone: createZone(timezone) },
    seen: { unsure: false, broken: false },
  }
  const found: SaidEvent[] = []
  for (const item of calendar.getAllSubcomponents('vevent')) {
    if (found.length === most) break
    steps.left = MAX_STEPS
    try {
      const start = timeOf(item, 'dtstart')
      const { allDay, from, to } = occurrenceOf({ uid: '', item, rid: null, original: start, start }, look)
      found.push({ item, allDay, from, to, repeats: isRepeating(item), cancelled: isCancelled(item) })
    } catch {
      // Other events may still be readable.
    }
  }
  return found
}

interface Look {
  readonly span: Span
  readonly zone: Zone
  readonly seen: { unsure: boolean; broken: boolean }
}

function* occurrencesOf({ uid, master, exceptions }: Series, look: Look): Generator<Occurrence> {
  const moved = new Map<string, Component>()
  for (const one of exceptions) moved.set(ridOf(timeOf(one, 'recurrence-id'), look), one)
  const single = (item: Component, rid: string | null, original: Moment): Occurrence | null => {
    const found = occurrenceOf({ uid, item, rid, original, start: timeOf(item, 'dtstart') }, look)
    return isCancelled(item) || !isWithin(found.span, look.span) ? null : found
  }
  for (const [rid, item] of moved) {
    const found = single(item, rid, timeOf(item, 'recurrence-id'))
    if (found !== null) yield found
  }
  if (master === null) return
  const start = timeOf(master, 'dtstart')
  if (!isRepeating(master)) {
    const found = single(master, null, start)
    if (found !== null) yield found
    return
  }
  if (isCancelled(master)) return
  checkIntervals(master)
  const expansion = new ICAL.RecurExpansion({ component: master, dtstart: start.time })
  let count = 0
  for (let time = expansion.next(); time !== undefined && time !== null; time = expansion.next()) {
    const at = { time, tzid: start.tzid }
    const rid = ridOf(at, look)
    const found = occurrenceOf({ uid, item: master, rid, original: at, start: at }, look)
    if (found.span.start >= look.span.end) return
    if (moved.has(rid) || !isWithin(found.span, look.span)) continue
    count += 1
    if (count > MAX_OCCURRENCES && Number.isFinite(look.span.end)) throw new Error('too many')
    yield found
  }
}

export function isRepeating(event: Component): boolean {
  return event.hasProperty('rrule') || event.hasProperty('rdate')
}

function isCancelled(event: Component): boolean {
  return textOf(event, 'status').toUpperCase() === 'CANCELLED'
}

function checkIntervals(event: Component): void {
  const zones =
    event.parent?.getAllSubcomponents('vtimezone').flatMap((one) => one.getAllSubcomponents()) ?? []
  for (const one of [event, ...zones])
    for (const rule of one.getAllProperties('rrule')) {
      const value: unknown = rule.getFirstValue()
      if (!(value instanceof ICAL.Recur) || !(value.interval <= MAX_INTERVAL)) throw new Error('interval')
    }
}

function isWithin(span: Span, within: Span): boolean {
  const isInstant = span.end <= span.start
  return span.start < within.end && (isInstant ? span.start >= within.start : span.end > within.start)
}

interface Moment {
  readonly time: ICAL.Time
  readonly tzid: string | null
}

/** Throws if the event does not have that time. */
function timeOf(event: Component, name: string): Moment {
  const property = event.getFirstProperty(name)
  const time: unknown = property?.getFirstValue()
  if (property === null || !(time instanceof ICAL.Time) || Number.isNaN(time.toUnixTime()))
    throw new Error(`no ${name}`)
  const tzid = property.getParameter('tzid')
  return { time, tzid: typeof tzid === 'string' ? tzid : null }
}

interface Part {
  readonly uid: string
  readonly item: Component
  readonly rid: string | null
  readonly original: Moment
  readonly start: Moment
}

function occurrenceOf({ uid, item, rid, original, start }: Part, look: Look): Occurrence {
  const allDay = start.time.isDate
  const begin = instantOf(start, look)
  const own = timeOf(item, 'dtstart')
  const length = lengthOf(item, own, look)
  const end = allDay ? dayOf(start.time) * DAY + length : begin + length
  const span = { start: begin, end: allDay ? look.zone.instantOf(Math.round(end / DAY), 0) : end }
  const from = allDay ? dateText(dayOf(start.time) * DAY) : instantText(begin)
  const to = allDay ? dateText(end) : instantText(end)
  return { uid, rid, item, original, allDay, from, to, span }
}

/** Milliseconds; for all-day events, 24 hours per day. */
function lengthOf(item: Component, start: Moment, look: Look): number {
  const isDay = start.time.isDate
  if (item.hasProperty('dtend')) {
    const end = timeOf(item, 'dtend')
    const length = isDay
      ? (dayOf(end.time) - dayOf(start.time)) * DAY
      : instantOf(end, look) - instantOf(start, look)
    return Math.max(length, isDay ? DAY : 0)
  }
  const duration: unknown = item.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return Math.max(duration.toSeconds() * 1_000, isDay ? DAY : 0)
  return isDay ? DAY : 0
}

function dayOf({ year, month, day }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day) / DAY
}

function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function instantText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

function ridOf(moment: Moment, look: Look): string {
  const at = instantOf(moment, look)
  return moment.time.isDate ? dateText(dayOf(moment.time) * DAY).replaceAll('-', '') : stampOf(at)
}

/**
 * A zone with a known name is used by that name, otherwise by its description in the file; otherwise the owner's zone is used and
 * `unsure` is set.
 */
function instantOf({ time, tzid }: Moment, { zone, seen }: Look): number {
  const wall = (of: Zone): number =>
    of.instantOf(dayOf(time), time.hour * 60 + time.minute) + time.second * 1_000
  if (time.isDate) return zone.instantOf(dayOf(time), 0)
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1_000
  const known = tzid === null ? null : knownZone(tzid)
  if (known !== null) return wall(createZone(known))
  if (time.zone !== null && time.zone !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1_000
  if (tzid !== null) seen.unsure = true
  return wall(zone)
}

/** `/example.org/20260101/Europe/Berlin` is Berlin as well. */
function knownZone(tzid: string): string | null {
  const name = /(?:^|\/)([A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_+-]+){1,2})$/.exec(tzid)?.[1]
  if (name === undefined) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function textOf(event: Component, name: string): string {
  const value: unknown = event.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}
