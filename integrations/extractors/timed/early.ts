/**
 * Recognises an hour of the early morning that is typed with its minutes, "6:45", where nothing names the half of the day:
 * of a reminder it is the morning, and of a move the half that is nearer. Dates read it as the evening. Pure. Called by
 * reminder.ts and message-move.ts.
 */
import { ENGLISH } from '../../dates/english.ts'
import { GERMAN } from '../../dates/german.ts'
import type { Moment, Span } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'

const TYPED = /(?<![\d.:,])6[:.][0-5]\d(?![\d.:]|,\d| ?[ap]\.?m)/iu
const LATE =
  /(?<!\p{L})(?:afternoon|nachmittags?|after (?:work|school)|nach der (?:arbeit|schule))(?!\p{L})/iu
const HALF_DAY = DAY / 2

export function isEarlyTyped(text: string): boolean {
  return TYPED.test(text) && !LATE.test(text) && ![ENGLISH, GERMAN].some(({ late }) => late.test(text))
}

/**
 * The span twelve hours earlier, where its time is so typed and that is still to come; `daily`: the next morning, where it
 * is not.
 */
export function inTheMorning(
  span: Span,
  { text, daily }: { readonly text: string; readonly daily: boolean },
  { now, zone }: Moment,
): Span {
  const isEvening = Math.floor((zone.wallOf(span.from) % DAY) / (DAY / 24)) === 18
  if (span.named !== 'time' || !isEvening || !isEarlyTyped(text)) return span
  const isOver = span.from - HALF_DAY <= now
  if (isOver && !daily) return span
  const by = isOver ? HALF_DAY : -HALF_DAY
  return { ...span, from: span.from + by, to: span.to + by }
}
