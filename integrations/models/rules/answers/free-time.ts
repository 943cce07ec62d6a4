/**
 * Free time from busy and free slots, on the wall clock, where whole days mean working hours. Untrusted text stays in its line.
 * Must not know a tool. Called by told.ts.
 */

import { USUAL_HOURS, type WorkingHours } from '../../../../kernel/features/hours/hours.ts'
import type { Json } from '../../../../kernel/flow/json.ts'
import { listed } from '../../../../kernel/wording/output.ts'
import { MINUTE } from '../../../dates/zone.ts'
import type { AnswerWords } from '../../../tools/package.ts'
import type { Telling } from '../said.ts'
import { type Clock, dayOf, midnight, onDay, time } from './clock.ts'
import { fieldOf, isTrue, itemsOf, numberOf, textOf } from './content.ts'
import { filled } from './sentence.ts'

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
  const { clock } = telling
  const slots = itemsOf(content, words.list ?? '').flatMap((item) => slotOf(item, clock))
  const asked = spanOf(telling, slots)
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

function spanOf({ said, looked, clock }: Telling, slots: readonly Slot[]): Range | null {
  const [first, last] = [
    Math.min(...slots.map((slot) => slot.from)),
    Math.max(...slots.map((slot) => slot.to)),
  ]
  // "Which Saturday": what was looked at is another one than the words name.
  const from = clock.read(textOf(looked, 'asked_from')) ?? clock.read(said.from) ?? first
  const to = clock.read(textOf(looked, 'asked_to')) ?? clock.read(said.to) ?? last
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
