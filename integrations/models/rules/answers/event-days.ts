/**
 * Calendar answers: rows by day, with local times, where an event of several days stands under each of them, and what the owner
 * declined or may come to is called so; and what takes a time that was asked for. Untrusted text stays in its line. Home alone
 * shows events: the edge's bundle has `event-days-none.ts` in its place (`#event-days` in package.json). Called by told.ts and
 * answer.ts.
 */

import { indexWords } from '../../../../kernel/features/memory/telling-words.ts'
import { type Json, stringsIn } from '../../../../kernel/flow/json.ts'
import { listed } from '../../../../kernel/wording/output.ts'
import type { AnswerWords } from '../../../tools/package.ts'
import type { Said, Telling } from '../said.ts'
import { type Clock, dateAndName, dayOf, lastDayOf, midnight, range, time } from './clock.ts'
import { fieldOf, isTrue, itemsOf, textOf } from './content.ts'
import { filled } from './sentence.ts'
import { line } from './text.ts'

/** Most characters of a title in a sentence. */
const TOPIC_MAX = 60
/** Most days under which one event is repeated: a year-long event must not fill the list. */
const MOST_DAYS = 62

/** What the owner answered to an invitation. */
const DECLINED = 'declined'
const TENTATIVE = 'tentative'

interface Event {
  readonly from: number
  readonly to: number
  readonly allDay: boolean
  /** Takes the owner's time: not what was declined or is marked as free. */
  readonly busy: boolean
  readonly declined: boolean
  readonly text: string
}

/** Reads `from`, `to` and `allDay` of a row; its sentence shows the other fields. */
export function dayList(words: AnswerWords, content: Json, { clock, said, typed, looked }: Telling): string {
  const all = itemsOf(content, words.list ?? '')
  const named = [typed.topic, typed.person].filter((one) => one !== '')
  const event = named.length === 0 && typed.event !== undefined ? [typed.event] : named
  const about = said.last === '' ? event : [said.last]
  const items = said.clash ? all : all.filter((item) => isAbout(item, words.about, about))
  const found = items.flatMap((item) => eventOf(item, words.row ?? '', clock)).sort((a, b) => a.from - b.from)
  const left = said.left ? found.filter(({ to, allDay }) => allDay || to > clock.now) : found
  const events = meantOf(left, said, clock.now)
  const asked = askedDays(said, clock)
  if (said.clash && events.length === 0)
    return filled(words.values?.['no_clash'] ?? '', {
      item: content,
      clock,
      own: { ...(asked !== null && { asked }) },
    })
  const topic = line(about.join(', '), TOPIC_MAX)
  const own = { ...looked, ...(asked !== null && { asked }), topic }
  if (
    events.length === 0 &&
    ((all.length > 0 && topic !== '') || said.last !== '') &&
    words.about !== undefined
  )
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
    const perhaps = textOf(item, 'answer') === TENTATIVE ? (words.values?.['perhaps'] ?? '') : ''
    return `“${line(textOf(item, 'title'), TOPIC_MAX)}” ${when}${perhaps}`
  })
  const what = listed(named)
  return named.length === 0
    ? ''
    : filled(words.values?.['taken'] ?? '', { item: content, clock, own: { what } })
}

function wordsOf({ from, to }: { readonly from: number; readonly to: number }): string {
  const day = dayOf(from)
  return `${time(from, day)}–${time(to, day)}`
}

/** Of those that were listed the ones that were asked for. */
function meantOf(events: readonly Event[], said: Said, now: number): readonly Event[] {
  if (said.clash) return events.filter((one) => events.some((other) => overlaps(one, other)))
  if (said.last !== '') return events.filter(({ from }) => from <= now).slice(-1)
  return said.next ? nextOf(events, now) : events
}

/** Two that take the same time; what is all day takes none. */
function overlaps(one: Event, other: Event): boolean {
  const areTaking = [one, other].every(({ allDay, busy }) => !allDay && busy)
  return one !== other && areTaking && one.from < other.to && other.from < one.to
}

/** The first still to begin, with those at the same time; all where none is. What was declined only where nothing else is. */
function nextOf(events: readonly Event[], now: number): readonly Event[] {
  const all = events.filter(({ from }) => from >= now)
  const kept = all.filter(({ declined }) => !declined)
  const ahead = kept.length > 0 ? kept : all
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
  const answer = textOf(item, 'answer')
  const declined = answer === DECLINED
  const busy = fieldOf(item, 'busy') !== false && !declined
  const text = filled(sentence, { item, clock, own: { declined, perhaps: answer === TENTATIVE } })
  return [{ from, to: Math.max(to, from), allDay: isTrue(item, 'allDay'), busy, declined, text }]
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
