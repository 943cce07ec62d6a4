/**
 * The time span that a text names, as two instants: days from midnight to midnight, clock times for an hour unless an end or a
 * length is given. Must not read a clock; `now` is an argument. Called by the message extractor, the rules model and the mail tool.
 */
import type { ParsedResult } from 'chrono-node/en'
import { agreed, withNumber } from './beside.ts'
import { type Days, dateOf, dayNumber, monthDays, oneDay, upcoming } from './civil.ts'
import { nightIn } from './clocks.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import { ONLY_GERMAN } from './german-days.ts'
import { BESIDE_DAY, IMPOSSIBLE, type Language, namesDay, PARTS, type ParsedComponents } from './grammar.ts'
import { type Place, placeIn } from './places.ts'
import { createZone, DAY, MINUTE, type Zone } from './zone.ts'

/** Characters of a text that are searched for dates: chrono is slow on long adversarial text. */
const DATE_HEAD = 400
/** Default length of an appointment, minutes. */
const DEFAULT_MINUTES = 60
/** Years around now for a plausible date. chrono also reads other numbers as dates. */
const YEARS = { back: 2, ahead: 10 } as const
/** Hours up to the first value mean the afternoon; together with an evening word, up to the second. */
const AFTERNOON_HOURS = 6
const EVENING_HOURS = 11
const NOW = 'casualReference/now'
const YEAR = /(?<!\d)\d{4}(?!\d)/g
/** Maximum number of years in a text around which a date is searched, and characters around one that can belong to it. */
const MOST_YEARS = 300
const AROUND = 40

export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  readonly zone: Zone
}

export interface Span {
  /** Epoch milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** What the text named: whole days, a part of a day such as the afternoon, or a time. */
  readonly named: 'days' | 'part' | 'time'
  /** True for a start such as "8" or "half past ten" that may equally be in the evening; it is read as the morning. */
  readonly eitherHalf?: true
}

export interface DateReading {
  readonly span: Span | null
  /** True for a day that does not exist, such as 31 February, and for two names of one day that disagree; `span` is then null. */
  readonly impossible: boolean
  /** The stated length, minutes. */
  readonly minutes: number | null
  /** The text with all time expressions replaced by spaces; same length. */
  readonly rest: string
}

export interface Found {
  readonly start: number
  readonly end: number
}

/** Minutes after midnight; `to` is null if only a start was named. `utc`: the typed offset, minutes. */
interface Times {
  readonly from: number
  readonly to: number | null
  readonly utc: number | null
  readonly eitherHalf: boolean
}

/** The named local time, before time zones apply. */
interface Wall {
  readonly days: Days | null
  readonly times: Times | null
  readonly part: { readonly from: number; readonly to: number } | null
  /** `after 3`, `before noon`. */
  readonly open: 'after' | 'before' | null
}

/** Cache of readings by moment, for as long as one message is read, because its parts are read many times. */
const readAt = new WeakMap<Moment, Map<string, DateReading>>()
const MOST_KEPT = 100

export function readDates(input: string, moment: Moment): DateReading {
  const kept = readAt.get(moment) ?? new Map<string, DateReading>()
  const known = kept.get(input)
  if (known !== undefined) return known
  const read = readOnce(input, moment)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(input, read)
  readAt.set(moment, kept)
  return read
}

/** A time of day is in the zone of the place named with it. The day is in the owner's zone: "tomorrow" is the speaker's. */
function readOnce(input: string, moment: Moment): DateReading {
  const place = placeIn(input)
  if (place === null) return readPlain(input, moment)
  const there = { ...moment, zone: place.zone === null ? moment.zone : zoneAt(place.zone, moment.zone) }
  const read = readPlain(blank(input, place), there)
  return read.span === null || read.span.named === 'days' ? readPlain(input, moment) : read
}

function zoneAt(name: NonNullable<Place['zone']>, own: Zone): Zone {
  const { instantOf } = createZone(name)
  return { ...own, instantOf }
}

function readPlain(input: string, moment: Moment): DateReading {
  const tail = input.slice(DATE_HEAD)
  const head = input.slice(0, DATE_HEAD)
  const language = languageOf(head)
  const text = language.plain(head)
  const delay = durationIn(text, language, language.delay)
  const length = durationIn(blank(text, delay), language, language.length)
  const minutes = length?.minutes ?? null
  const timed = (start: number): Span => ({
    from: start,
    to: start + (minutes ?? DEFAULT_MINUTES) * MINUTE,
    named: 'time',
  })
  const left = blank(blank(head, delay), length)
  if (delay !== null) {
    return { span: timed(moment.now + delay.minutes * MINUTE), impossible: false, minutes, rest: left + tail }
  }
  const results = resultsIn(blank(text, length), language, moment)
  const impossible = results.some((result) => result.tags().has(IMPOSSIBLE))
  const { wall, found, isOpen } = wallOf(results, { text, moment, language })
  const isNow = found.length === 0 && results.some((result) => result.tags().has(NOW))
  const rest = found.reduce(blank, left) + tail
  if (impossible || isOpen) return { span: null, impossible: true, minutes, rest }
  return { span: isNow ? timed(moment.now) : spanOf(wall, minutes, moment), impossible, minutes, rest }
}

/** A number as digits or an English word; NaN for anything else. */
export function numberIn(word: string): number {
  return ENGLISH.count(word)
}

/** Where the first day or part of a day stands in a text, or null. */
export function findDay(text: string): Found | null {
  const head = text.slice(0, DATE_HEAD)
  const results = languageOf(head).chrono(false).parse(head, referenceOf(0))
  const day = results.find(
    (result) =>
      namesDay(result) ||
      result.tags().has(IMPOSSIBLE) ||
      partOf(result) !== null ||
      OF_A_PART.test(result.text),
  )
  return day === undefined ? null : placeOf(day)
}

/** "At 6 in the morning" is one time, not a part of a day. */
const OF_A_PART = / (?:in|at) (?:the )?(?:morning|afternoon|evening|night)$/i

/** Whether a text names a day itself, not only a time of it. */
export function namesADay(text: string): boolean {
  const head = text.slice(0, DATE_HEAD)
  const language = languageOf(head)
  return language.chrono(false).parse(language.plain(head), referenceOf(0)).some(namesDay)
}

/**
 * Dates with a year, in text order, as `2026-11-22`, in English or German. Excludes "tomorrow", which means another day later,
 * and `4/12/2026`, which is ambiguous.
 */
export function writtenDates(text: string, max: number): readonly string[] {
  const found = new Set<string>()
  for (const { index } of [...text.matchAll(YEAR)].slice(0, MOST_YEARS)) {
    const before = text.slice(Math.max(0, index - AROUND), index)
    // Cut at a space, because half of a number is another number.
    const lead = index > AROUND ? before.replace(/^\S*/, '') : before
    const around = lead + text.slice(index, index + AROUND)
    const year = { start: lead.length, end: lead.length + 4 }
    const english = writtenAt(around, year, ENGLISH)
    for (const date of english.length > 0 ? english : writtenAt(around, year, GERMAN)) found.add(date)
    if (found.size >= max) break
  }
  return [...found].slice(0, max)
}

/** First and last day of the date that contains the year, as ISO dates. */
function writtenAt(around: string, year: Found, { chrono }: Language): readonly string[] {
  const result = chrono(false)
    .parse(around, referenceOf(0))
    .find(({ index, text }) => index <= year.start && index + text.length >= year.end)
  if (result === undefined || result.text.includes('/')) return []
  return [result.start, result.end].flatMap((part) =>
    part?.isCertain('day') && part.isCertain('month') && part.isCertain('year')
      ? [new Date(dayOf(part) * DAY).toISOString().slice(0, 10)]
      : [],
  )
}

/** German if more of its common words occur than English ones. */
function languageOf(text: string): Language {
  if (/\d ?uhr\b/i.test(text) || ONLY_GERMAN.test(text)) return GERMAN
  const countIn = ({ words }: Language): number => text.match(words)?.length ?? 0
  return countIn(GERMAN) > countIn(ENGLISH) ? GERMAN : ENGLISH
}

function resultsIn(text: string, language: Language, { now, zone }: Moment): readonly ParsedResult[] {
  // "1:1" is a meeting: minutes have two digits.
  const said = text.replaceAll(ONE_TO_ONE, (found) => 'x'.repeat(found.length))
  return language.chrono(zone.monthFirst).parse(said, referenceOf(zone.dayOf(now)))
}

const ONE_TO_ONE = /(?<![\d:.])\d{1,2}:\d(?![\d:])/g

/**
 * Noon of the day as if its zone were UTC. chrono computes with the machine's local time, where a clock change may skip midnight
 * but never noon.
 */
function referenceOf(today: number): { readonly instant: Date; readonly timezone: 0 } {
  return { instant: new Date((today + 0.5) * DAY), timezone: 0 }
}

function wallOf(
  results: readonly ParsedResult[],
  { text, moment, language }: { readonly text: string; readonly moment: Moment; readonly language: Language },
): { readonly wall: Wall; readonly found: readonly Found[]; readonly isOpen: boolean } {
  const today = moment.zone.dayOf(moment.now)
  const known = results.filter((result) => !result.tags().has(NOW))
  const isDated = (result: ParsedResult): boolean => daysOf(result, today) !== null
  const first = known.find(isDated)
  const timed =
    known.find((result) => hasTime(result) && !result.tags().has(BESIDE_DAY)) ??
    (first === undefined ? undefined : known.find(hasTime))
  // A time with its own day does not belong to another one: "what costs more in September, and am I free tomorrow at 14:00".
  const dated = timed !== undefined && isDated(timed) ? timed : first
  const parted = known.find((result) => !hasTime(result) && partOf(result) !== null)
  const open = timed === undefined ? null : openAt(timed, text, language)
  const used = [dated, timed, parted].flatMap((result) => (result === undefined ? [] : [placeOf(result)]))
  const dates = known.flatMap((result) => {
    const days = daysOf(result, today)
    return days === null ? [] : [{ ...placeOf(result), result, days }]
  })
  const day = dates.find(({ result }) => result === dated)
  const whole = { text, today, dotted: language === GERMAN }
  const { days, found } = day === undefined ? withNumber(whole, used, null) : agreed(whole, day, dates)
  const none = results.filter((result) => result.tags().has(IMPOSSIBLE)).map(placeOf)
  return {
    isOpen: days === null && (day !== undefined || found.length > 0),
    wall: {
      days,
      times: timed === undefined ? null : timesOf(timed, text, language),
      part: parted === undefined ? null : partOf(parted),
      open: open?.side ?? null,
    },
    found: [...used, ...found, ...none, ...(open === null ? [] : [open])],
  }
}

/** `after 3` opens a span: the word stands before the time, or between the day and the time. */
function openAt(
  { index, text: own, start, end }: ParsedResult,
  text: string,
  { after, before }: Language,
): (Found & { readonly side: 'after' | 'before' }) | null {
  // chrono reads `2026-11-27 until 3` as a range from the day to the time.
  const isUntil = !start.isCertain('hour') && end !== undefined && end !== null && !namesDay({ start: end })
  if (isUntil) return { side: 'before', start: index, end: index }
  const inside = /\s(?:(after)|before)\s+(?:at\s+)?(?:\d|noon|mid)/i.exec(own)
  if (inside !== null) return { side: inside[1] === undefined ? 'before' : 'after', start: index, end: index }
  const lead = text.slice(0, index)
  const found = after.exec(lead) ?? before.exec(lead)
  return found === null
    ? null
    : { side: after.test(lead) ? 'after' : 'before', start: found.index, end: index }
}

function spanOf(wall: Wall, minutes: number | null, moment: Moment): Span | null {
  const { zone, now } = moment
  if (wall.days === null && wall.times === null && wall.part === null) return null
  const days = wall.days ?? oneDay(zone.dayOf(now))
  if (wall.times !== null) return timedSpan({ ...wall, times: wall.times }, days, minutes, moment)
  if (wall.part !== null) {
    const { from, to } = wall.part
    return { from: zone.instantOf(days.first, from), to: zone.instantOf(days.last, to), named: 'part' }
  }
  return { from: zone.instantOf(days.first, 0), to: zone.instantOf(days.last + 1, 0), named: 'days' }
}

function timedSpan(
  { times, days: named, part, open }: Wall & { readonly times: Times },
  days: Days,
  minutes: number | null,
  { zone, now }: Moment,
): Span {
  const at = (day: number, minute: number): number =>
    times.utc === null ? zone.instantOf(day, minute) : day * DAY + (minute - times.utc) * MINUTE
  const passed = named === null && part === null && at(days.first, times.from) < now
  const day = days.first + (passed && open === null ? 1 : 0)
  const from = at(day, times.from)
  if (open === 'after') return { from, to: zone.instantOf(day + 1, 0), named: 'time' }
  if (open === 'before') return { from: zone.instantOf(day, 0), to: from, named: 'time' }
  // A length is elapsed time; an end is a clock time. They differ on the day of a clock change.
  const to =
    times.to === null
      ? from + (minutes ?? DEFAULT_MINUTES) * MINUTE
      : at(days.last + day - days.first, times.to)
  return {
    ...{ from, to: Math.max(to, from + MINUTE), named: 'time' },
    ...(times.eitherHalf && { eitherHalf: true }),
  }
}

function daysOf({ start, end }: ParsedResult, today: number): Days | null {
  if (!namesDay({ start })) return null
  const first = dayOf(start)
  const { year } = dateOf(today)
  const { year: named, month } = dateOf(first)
  if (named < year - YEARS.back || named > year + YEARS.ahead) return null
  if (!start.isCertain('day') && !start.isCertain('weekday')) return monthDays(named, month)
  if (!end || !namesDay({ start: end })) return oneDay(first)
  const weekday = end.isCertain('day') ? null : end.get('weekday')
  // An end after midnight: chrono has already moved it to the next day, and `timesOf` counts beyond 24 hours.
  const isNight = end.isCertain('hour') && dayOf(end) === first + 1 && minutesOf(end) <= minutesOf(start)
  if (isNight || (end.isCertain('hour') && weekday !== null && weekday === start.get('weekday')))
    return oneDay(first)
  return { first, last: weekday === null ? Math.max(first, dayOf(end)) : upcoming(first, weekday) }
}

function dayOf(date: ParsedComponents): number {
  return dayNumber(date.get('year') ?? 0, date.get('month') ?? 1, date.get('day') ?? 1)
}

function minutesOf(time: ParsedComponents): number {
  return (time.get('hour') ?? 0) * 60 + (time.get('minute') ?? 0)
}

function hasTime({ start, end }: ParsedResult): boolean {
  return start.isCertain('hour') || end?.isCertain('hour') === true
}

/** Hours at which meetings occur in the morning as well as in the evening. */
const EITHER = Object.freeze({ from: 7, to: 11 })

function timesOf({ text, start, end }: ParsedResult, whole: string, language: Language): Times {
  // Given as 24-hour time, or with its half of the day.
  const isWhole = [start, end].some(
    (part) => part?.isCertain('hour') === true && (part.get('hour') ?? 0) > 12,
  )
  const leadingZero = isWhole || /(?:^|[^\d:.])0\d/.test(text)
  const minutes = (part: ParsedComponents): number => {
    const isLate = isAfternoon(part.get('hour') ?? 0, whole, language)
    return minutesOf(part) + (!part.isCertain('meridiem') && !leadingZero && isLate ? 12 * 60 : 0)
  }
  const named = nightIn(text, language === GERMAN) ?? (end?.isCertain('hour') === true ? minutes(end) : null)
  const from = start.isCertain('hour') || named === null ? minutes(start) : named
  // "6 till half 7": both are in the afternoon.
  const isEarlier = named !== null && named <= from && from > minutesOf(start) && named + 12 * 60 > from
  const until = isEarlier ? named + 12 * 60 : named
  // `Monday to Friday at 9`: chrono gives both ends the time.
  const to = until === from ? null : until
  const utc = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null
  const hour = start.get('hour') ?? 0
  const isSaid =
    leadingZero || start.isCertain('meridiem') || language.early.test(whole) || from !== minutesOf(start)
  const eitherHalf = !isSaid && hour >= EITHER.from && hour <= EITHER.to
  return { from, to: to !== null && to <= from ? to + 24 * 60 : to, utc, eitherHalf }
}

function isAfternoon(hour: number, whole: string, { late, early }: Language): boolean {
  if (hour === 0 || (early.test(whole) && !SAID_LATE.test(whole))) return false
  return hour <= (late.test(whole) ? EVENING_HOURS : AFTERNOON_HOURS)
}

/** Matches words about this time itself, whatever part of the day other words name. */
const SAID_LATE = /\b(?:in the|this) evening\b|\btonight\b/i

/** Part of a day, in minutes after midnight. */
function partOf(result: ParsedResult): { readonly from: number; readonly to: number } | null {
  const tags = result.tags()
  const part = Object.entries(PARTS).find(([tag]) => tags.has(tag))
  return part === undefined ? null : { from: part[1][0] * 60, to: part[1][1] * 60 }
}

function durationIn(
  text: string,
  { isHours, count }: Language,
  pattern: RegExp,
): (Found & { readonly minutes: number }) | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [whole, number = '', unit = '', half] = match
  const minutes = Math.round(count(number) * (isHours.test(unit) ? 60 : 1)) + (half === undefined ? 0 : 30)
  return { minutes, start: match.index, end: match.index + whole.length }
}

function placeOf({ index, text }: ParsedResult): Found {
  return { start: index, end: index + text.length }
}

/** Replaces a part of the text with spaces, so that positions stay. */
function blank(text: string, found: Found | null): string {
  if (found === null) return text
  const end = Math.min(found.end, text.length)
  return text.slice(0, found.start) + ' '.repeat(end - found.start) + text.slice(end)
}
