/**
 * Free time in words, from busy and free slots: gaps of the span that was asked about, on the wall clock. Whole
 * days mean working hours, and whatever is busy beyond them is said. Called by answer.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { MINUTE } from '../../extractors/message-zone.ts'
import { type Clock, dayOf, midnight, onDay, time } from './clock.ts'
import { isTrue, itemsOf, textOf } from './content.ts'
import type { Said } from './said.ts'
import { listed } from './text.ts'
import { CALENDAR } from './words.ts'

/** Hours in which "when am I free" looks for time, where no time was named. */
const WORK_START = 9
const WORK_END = 18
const HOUR = 60 * MINUTE
/** Most days that one answer goes through. */
const MOST_DAYS = 31

interface Range {
  readonly from: number
  readonly to: number
}

interface Slot extends Range {
  readonly busy: boolean
}

/** `isOwner`: whether it is the one whose time it is who reads this. */
export function freeTime(
  content: Json,
  { clock, said, isOwner }: { readonly clock: Clock; readonly said: Said; readonly isOwner: boolean },
): string {
  const slots = itemsOf(content, 'slots').flatMap((item) => slotOf(item, clock))
  const asked = spanOf(said, slots, clock)
  if (asked === null) return CALENDAR.noTimes
  const days = Array.from(
    { length: Math.min(lastDay(asked) - dayOf(asked.from) + 1, MOST_DAYS) },
    (_, index) => {
      return dayOf(asked.from) + index
    },
  )
  return days.map((day) => dayWords(day, slots, { asked, clock, said, isOwner })).join('\n')
}

interface Question {
  readonly asked: Range
  readonly clock: Clock
  readonly said: Said
  readonly isOwner: boolean
}

function dayWords(day: number, slots: readonly Slot[], { asked, clock, said, isOwner }: Question): string {
  const whole = dayRange(day, asked, clock.now)
  const window = said.wholeDay ? workingHours(day, whole) : whole
  const { are, were } = isOwner ? CALENDAR.you : CALENDAR.owner
  const name = `${onDay(day, clock.now)} ${day < dayOf(clock.now) ? were : are}`
  const busy = parts(slots, true, whole)
  // Silence about a day is not a free day.
  if (busy.length === 0 && parts(slots, false, window).length === 0)
    return `${onDay(day, clock.now)}: ${CALENDAR.unknown}`
  if (busy.length === 0) {
    const allDay = said.wholeDay && window.from <= midnight(day) + WORK_START * HOUR
    return `${name} free ${allDay ? 'all day' : words(window, day)}.`
  }
  const least = Math.max(said.minutes ?? 0, 1) * MINUTE
  const free = parts(slots, false, window).filter(({ from, to }) => to - from >= least)
  if (free.length === 0 && busy.some(({ from, to }) => from <= whole.from && to >= whole.to))
    return `${name} busy ${said.wholeDay ? 'all day' : words(whole, day)}.`
  const early = parts(slots, true, { from: whole.from, to: window.from })
  const late = parts(slots, true, { from: window.to, to: whole.to })
  const beyond = [...early, ...late]
  const more = beyond.length === 0 ? '' : ` Beyond that ${are} busy ${allWords(beyond, day)}.`
  return free.length === 0
    ? `${name} not free ${words(window, day)}.${more}`
    : `${name} free ${allWords(free, day)}.${more}`
}

/** The day as far as it was asked about; of today, what is left. */
function dayRange(day: number, asked: Range, now: number): Range {
  const range = clip({ from: midnight(day), to: midnight(day + 1) }, asked)
  return day === dayOf(now) && now < range.to ? { ...range, from: Math.max(range.from, now) } : range
}

/** Working hours, or what comes after them when they are over. */
function workingHours(day: number, whole: Range): Range {
  const hours = clip({ from: midnight(day) + WORK_START * HOUR, to: midnight(day) + WORK_END * HOUR }, whole)
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
