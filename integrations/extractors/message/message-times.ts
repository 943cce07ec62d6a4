/**
 * Whether the one time that was read is all that a message says of clock times: of several, such as of three reminders, none is the
 * message's. Called by message.ts for what has no name.
 */
import { type DateReading, type Moment, readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'

/** The same reading; without its span where another clock time is left of the text. */
export function withoutOneOfMany(read: DateReading, moment: Moment): DateReading {
  const { span, rest } = read
  if (span?.named !== 'time') return read
  const other = readDates(rest, moment).span
  const isOther =
    other?.named === 'time' && !isSameTime(other.from, span.from) && !isSameTime(other.from, span.to)
  return isOther ? { ...read, span: null } : read
}

/** Of the day, which is often said once for several. */
function isSameTime(one: number, other: number): boolean {
  return (one - other) % DAY === 0
}
