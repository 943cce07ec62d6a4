/** To when the owner's words move a reminder. Must not move it. Called by reminders.ts. */
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { instantOf, localMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import type { Reminder } from './port.ts'
import { instantOfLocal } from './repeat.ts'

/** A time without a day. */
const TIME_OF_DAY = /^(?:at |um )?\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h|o'clock)?$/i

/** Refusal: reminder_time_unclear. A day without a time keeps the reminder's time of day, and a time without a day its day. */
export function movedTo(
  powers: Clock & OwnerFacts & Extraction,
  { due }: Reminder,
  when: string,
): Result<number> {
  const now = powers.now()
  const { timezone } = powers.profile()
  const read = (text: string) =>
    powers.extractor.extract(text, { now, timezone }) as Readonly<Record<string, unknown>>
  const day = read(tell('reminders.day_asked', { when }))
  const until = read(tell('reminders.put_off_asked', { when }))['from']
  const before = localMoment(due ?? now, timezone)
  // As its own undo has it.
  const exactly = instantOf(when)
  if (exactly !== null) return ok(exactly)
  const at = day['wholeDay'] === true ? instantOf(day['from']) : instantOf(until)
  if (at === null) return err('reminder_time_unclear')
  const said = localMoment(at, timezone)
  const isTime = TIME_OF_DAY.test(when.trim())
  const wanted =
    day['wholeDay'] === true
      ? `${said.slice(0, 10)} ${before.slice(11)}`
      : isTime
        ? `${before.slice(0, 10)} ${nearTo(before.slice(11), said.slice(11), when)}`
        : said
  return ok(instantOfLocal(wanted, timezone))
}

/** Half of the day said, or an hour that is of one half only. */
const SURE = /[ap]m|uhr|h$|^\D*(?:0\d|1[3-9]|2\d)/i

/** `6:30` is the half of the day that is nearer to when it came before. */
function nearTo(before: string, said: string, when: string): string {
  if (SURE.test(when.trim())) return said
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const other = (minutes(said) + 720) % 1440
  const far = (at: number): number => Math.abs(at - minutes(before))
  if (far(minutes(said)) <= far(other)) return said
  return [Math.floor(other / 60), other % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
