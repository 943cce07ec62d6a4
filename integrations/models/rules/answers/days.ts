/**
 * Calendar answers: rows by day, with local times, where an event of several days stands under each of them; and free time from busy
 * and free slots, on the wall clock, where whole days mean working hours. Untrusted text stays in its line. Must not know a tool.
 * Called by told.ts.
 */

import { USUAL_HOURS, type WorkingHours } from '../../../../kernel/features/hours/hours.ts'
import { indexWords } from '../../../../kernel/features/memory/telling-words.ts'
import { type Json, stringsIn } from '../../../../kernel/flow/json.ts'
import { listed } from '../../../../kernel/wording/output.ts'
import { MINUTE } from '../../../dates/zone.ts'
import type { AnswerWords } from '../../../tools/package.ts'
import type { Said, Telling } from '../said.ts'
import { type Clock, dateAndName, dayOf, lastDayOf, midnight, onDay, range, time } from './clock.ts'
import { fieldOf, isTrue, itemsOf, numberOf, textOf } from './content.ts'
import { filled } from './sentence.ts'
import { line } from './text.ts'

/** Most characters of a title in a sentence. */
const TOPIC_MAX = 60
/** Most days under which one event is repeated: a year-long event must not fill the list. */
const MOST_DAYS = 62

interface Event {
  readonly from: number
  readonly to: number
  readonly allDay: boolean
  readonly text: string
}

/** Reads `from`, `to` and `allDay` of a row; its sentence shows the other fields. */
export function dayList(words: AnswerWords, content: Json, { clock, said, typed, looked }: Telling): string {
  const all = itemsOf(content, words.list ?? '')
  const named = [typed.topic, typed.person].filter((one) => one !== '')
  const about = named.length === 0 && typed.event !== undefined ? [typed.event] : named
  const items = all.filter((item) => isAbout(item, words.about, about))
  const found = items.flatMap((item) => eventOf(item, words.row ?? '', clock)).sort((a, b) => a.from - b.from)
  const left = said.left ? found.filter(({ to, allDay }) => allDay || to > clock.now) : found
  const events = said.next ? nextOf(left, clock.now) : left
  const asked = askedDays(said, clock)
  const topic = line(about.join(', '), TOPIC_MAX)
  const own = { ...looked, ...(asked !== null && { asked }), topic }
  if (events.length === 0 && all.length > 0 && topic !== '' && words.about !== undefined)
    return filled(words.about.none, { item: content, clock, own })
  if (events.length === 0) return filled(words.none ?? '', { item: content, clock, own })
  const days = [...new Set(events.flatMap((event) => daysOf(event, said, clock)))].sort((a, b) => a - b)
  const blocks = days.map((day) => {
    const rows = events.filter((event) => daysOf(event, said, clock).includes(day))
    return [`${dateAndName(day, clock.now)}:`, ...rows.map((event) => `- ${rowOf(event, day, words)}`)].join(
      '\n',
    )
  })
  const after = (words.after ?? []).map((sentence) => filled(sentence, { item: content, clock }))
  return [...blocks, ...after].filter((part) => part !== '').join('\n')
}

/** What takes a time that was asked for, by its name; nothing where nothing does. */
export function takenBy(words: AnswerWords, content: Json, { clock, said }: Telling): string {
  const [begin, end] = [clock.read(said.from), clock.read(said.to)]
  const taking = itemsOf(content, words.list ?? '').flatMap((item) => {
    const [from, to] = [clock.read(textOf(item, 'from')), clock.read(textOf(item, 'to'))]
    const isThen = from !== null && to !== null && begin !== null && end !== null && from < end && to > begin
    return !isThen || fieldOf(item, 'busy') === false ? [] : [{ item, range: { from, to } }]
  })
  const named = taking.map(({ item, range: at }) => {
    const when = isTrue(item, 'allDay') ? (words.values?.['all_day'] ?? '') : wordsOf(at)
    return `“${line(textOf(item, 'title'), TOPIC_MAX)}” ${when}`
  })
  const what = listed(named)
  return named.length === 0
    ? ''
    : filled(words.values?.['taken'] ?? '', { item: content, clock, own: { what } })
}

function wordsOf(range: Range): string {
  return words(range, dayOf(range.from))
}

/** The first that is still to begin, with those at the same time; all where none is. */
function nextOf(events: readonly Event[], now: number): readonly Event[] {
  const ahead = events.filter(({ from }) => from >= now)
  const timed = ahead.filter(({ allDay }) => !allDay)
  const [first] = timed.length > 0 ? timed : ahead
  return first === undefined ? events : ahead.filter(({ from }) => from === first.from)
}

/** Whether it has all words of what was asked for; true where nothing was, or only what names all of them. */
function isAbout(item: Json, about: AnswerWords['about'], asked: readonly string[]): boolean {
  if (about === undefined) return true
  const any = new Set(indexWords(about.besides))
  const wanted = indexWords(asked.join(' ')).filter((word) => !any.has(word))
  const own = new Set(indexWords(about.fields.map((field) => wordsAt(item, field)).join(' ')))
  return wanted.every((word) => own.has(word))
}

/** Of a text, and of all texts within a list of records. */
function wordsAt(item: Json, field: string): string {
  const value = fieldOf(item, field)
  return value === undefined ? '' : stringsIn(value).join(' ')
}

/** `Mon 23 Nov (tomorrow)`, `Mon 23 Nov – Sun 29 Nov`; null when the request names no time. */
function askedDays(said: Said, clock: Clock): string | null {
  const from = clock.read(said.from)
  const to = clock.read(said.to)
  if (from === null || to === null) return null
  const single = said.wholeDay && lastDayOf(from, to) === dayOf(from)
  return single ? dateAndName(dayOf(from), clock.now) : range(from, to, clock.now)
}

function eventOf(item: Json, sentence: string, clock: Clock): readonly Event[] {
  const from = clock.read(textOf(item, 'from'))
  const to = clock.read(textOf(item, 'to'))
  if (from === null || to === null) return []
  const text = filled(sentence, { item, clock })
  return [{ from, to: Math.max(to, from), allDay: isTrue(item, 'allDay'), text }]
}

/** Days of an event within the requested span. */
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

function rowOf(event: Event, day: number, { values }: AnswerWords): string {
  if (event.allDay) return `${values?.['all_day'] ?? ''}: ${event.text}`
  const start = event.from < midnight(day) ? '00:00' : time(event.from)
  const end = event.to > midnight(day + 1) ? '24:00' : time(event.to, day)
  return start === end ? `${start} ${event.text}` : `${start}–${end} ${event.text}`
}

/** Working hours, used where the question names no time: those of the result, otherwise the usual ones. Minutes from midnight. */
function hoursOf(content: Json): WorkingHours {
  const hours = fieldOf(content, 'hours') ?? null
  return {
    from: numberOf(hours, 'from') ?? USUAL_HOURS.from,
    to: numberOf(hours, 'to') ?? USUAL_HOURS.to,
  }
}
/** Most days in one answer. */
const MOST_FREE_DAYS = 31

interface Range {
  readonly from: number
  readonly to: number
}

interface Slot extends Range {
  readonly busy: boolean
}

/** Reads `from`, `to` and `busy` of a row. Its sentences are the `values` of the package's words. */
export function freeTime(words: AnswerWords, content: Json, telling: Telling): string {
  const { clock, said } = telling
  const slots = itemsOf(content, words.list ?? '').flatMap((item) => slotOf(item, clock))
  const asked = spanOf(said, slots, clock)
  if (asked === null) return words.none ?? ''
  const days = Array.from(
    { length: Math.min(lastDay(asked) - dayOf(asked.from) + 1, MOST_FREE_DAYS) },
    (_, index) => {
      return dayOf(asked.from) + index
    },
  )
  const hours = hoursOf(content)
  const told = days.map((day) =>
    dayWords(day, slots, { ...telling, asked, hours, values: words.values ?? {} }),
  )
  const after = (words.after ?? []).map((sentence) => filled(sentence, { item: content, clock }))
  return [...told, ...after.filter((text) => text !== '')].join('\n')
}

interface Question extends Telling {
  readonly asked: Range
  readonly hours: WorkingHours
  readonly values: Readonly<Record<string, string>>
}

function dayWords(day: number, slots: readonly Slot[], question: Question): string {
  const { asked, clock, said, values, isOwner, hours } = question
  const whole = dayRange(day, asked, clock.now)
  const window = said.wholeDay ? workingHours(day, whole, hours) : whole
  const now = values[isOwner ? 'you' : 'owner'] ?? ''
  const then = values[isOwner ? 'you_before' : 'owner_before'] ?? ''
  const named = { day: onDay(day, clock.now), who: day < dayOf(clock.now) ? then : now }
  const say = (name: string, times: string, who = named.who): string =>
    filled(values[name] ?? '', { item: null, clock, own: { ...named, who, times } })
  const busy = parts(slots, true, whole)
  // A day without data is unknown, not free.
  if (busy.length === 0 && parts(slots, false, window).length === 0) return say('unknown', '')
  const allDay = values['all_day'] ?? ''
  if (busy.length === 0) {
    const isAll = said.wholeDay && window.from <= midnight(day) + hours.from * MINUTE
    return say('free', isAll ? allDay : words(window, day))
  }
  const least = Math.max(said.minutes ?? 0, 1) * MINUTE
  const free = parts(slots, false, window).filter(({ from, to }) => to - from >= least)
  if (free.length === 0 && busy.some(({ from, to }) => from <= whole.from && to >= whole.to))
    return say('busy', said.wholeDay ? allDay : words(whole, day))
  const early = parts(slots, true, { from: whole.from, to: window.from })
  const late = parts(slots, true, { from: window.to, to: whole.to })
  const beyond = [...early, ...late]
  const found = free.length === 0 ? say('not_free', words(window, day)) : say('free', allWords(free, day))
  return beyond.length === 0 ? found : `${found} ${say('beyond', allWords(beyond, day), now)}`
}

/** The part of the day within the requested span; for today, only what is left. */
function dayRange(day: number, asked: Range, now: number): Range {
  const range = clip({ from: midnight(day), to: midnight(day + 1) }, asked)
  return day === dayOf(now) && now < range.to ? { ...range, from: Math.max(range.from, now) } : range
}

/** Working hours, or the rest of the day once they are over. */
function workingHours(day: number, whole: Range, { from, to }: WorkingHours): Range {
  const hours = clip({ from: midnight(day) + from * MINUTE, to: midnight(day) + to * MINUTE }, whole)
  return hours.to > hours.from ? hours : whole
}

function parts(slots: readonly Slot[], busy: boolean, range: Range): readonly Range[] {
  return slots
    .filter((slot) => slot.busy === busy)
    .map((slot) => clip(slot, range))
    .filter(({ from, to }) => to > from)
}

function spanOf(said: Said, slots: readonly Slot[], clock: Clock): Range | null {
  const from = clock.read(said.from) ?? Math.min(...slots.map((slot) => slot.from))
  const to = clock.read(said.to) ?? Math.max(...slots.map((slot) => slot.to))
  return Number.isFinite(from) && Number.isFinite(to) && slots.length > 0 && to > from ? { from, to } : null
}

function slotOf(item: Json, clock: Clock): readonly Slot[] {
  const from = clock.read(textOf(item, 'from'))
  const to = clock.read(textOf(item, 'to'))
  return from === null || to === null ? [] : [{ from, to, busy: isTrue(item, 'busy') }]
}

function clip(range: Range, within: Range): Range {
  return { from: Math.max(range.from, within.from), to: Math.min(range.to, within.to) }
}

function lastDay({ to }: Range): number {
  return dayOf(to - 1)
}

function words({ from, to }: Range, day: number): string {
  return `${time(from, day)}–${time(to, day)}`
}

function allWords(ranges: readonly Range[], day: number): string {
  return listed(ranges.map((range) => words(range, day)))
}
