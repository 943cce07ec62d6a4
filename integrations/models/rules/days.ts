/**
 * Rows by day, with local times; an event of several days stands under each of them. Untrusted text stays in its line. Must not
 * know a tool, nor compute free time: see free.ts. Called by told.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { AnswerWords } from '../../tools/package.ts'
import { type Clock, dateAndName, dayOf, lastDayOf, midnight, range, time } from './clock.ts'
import { isTrue, itemsOf, textOf } from './content.ts'
import type { Said, Telling } from './said.ts'
import { filled } from './sentence.ts'

/** Most days under which one event is repeated: a year-long event must not fill the list. */
const MOST_DAYS = 62

interface Event {
  readonly from: number
  readonly to: number
  readonly allDay: boolean
  readonly text: string
}

/** Reads `from`, `to` and `allDay` of a row; its sentence shows the other fields. */
export function dayList(words: AnswerWords, content: Json, { clock, said }: Telling): string {
  const events = itemsOf(content, words.list ?? '')
    .flatMap((item) => eventOf(item, words.row ?? '', clock))
    .sort((a, b) => a.from - b.from)
  const asked = askedDays(said, clock)
  const own = asked === null ? {} : { asked }
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
