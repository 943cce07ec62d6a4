/** To when the owner's words move a reminder. Must not move it. Called by reminders.ts. */
import type { Json } from '../../flow/json.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { instantOf, localMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { laterIn } from './later-words.ts'
import type { Reminder } from './port.ts'
import {
  endOf,
  instantOfLocal,
  isEvery,
  nextOccurrence,
  REPEATS,
  type Repeat,
  type RepeatKind,
} from './repeat.ts'
import { type Shift, shiftIn } from './shift.ts'

const HOURS = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
]
const HOUR_WORD = `(?:${HOURS.join('|')})`
const PART =
  '(?:,? (?:in the (?:morning|afternoon|evening)|at night|(?:am |früh )?(?:morgens?|vormittags?|mittags?|nachmittags?|abends?|nachts?)|(?:in der )?früh))'
/** A time without a day. */
const TIME_OF_DAY = new RegExp(
  `^(?:at |um )?(?:\\d{1,2}(?:[:.]\\d\\d)? ?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr(?: \\d{1,2})?|h|o'clock)?|(?:half(?: past)?|a?n? ?quarter (?:past|to)|(?:five|ten|twenty|twenty-five) (?:past|to)|halb|(?:viertel|dreiviertel)(?: (?:vor|nach))?|(?:fünf|zehn|zwanzig) (?:vor|nach)(?: halb)?) (?:${HOUR_WORD}|\\d{1,2})|${HOUR_WORD}(?: uhr| o'clock| am| pm)?)${PART}?$`,
  'iu',
)

export interface Moved {
  /** Epoch milliseconds. */
  readonly at: number
  readonly repeat: Repeat | null
}

/**
 * Refusal: reminder_time_unclear. A day without a time keeps the reminder's time of day, and a time without a day its day; so does its repetition.
 * The first Monday of a month that moves to Tuesday is the first Tuesday.
 */
export function movedTo(
  powers: Clock & OwnerFacts & Extraction,
  { due, repeat }: Pick<Reminder, 'due' | 'repeat'>,
  when: string,
): Result<Moved> {
  const shift = shiftIn(when)
  if (shift !== null) return movedBy(powers, { due: due ?? powers.now(), repeat }, shift)
  const often = repeatedTo(powers, { due, repeat }, when)
  if (often !== null) return ok(often)
  const now = powers.now()
  const { timezone } = powers.profile()
  const read = (text: string, from: number) => typedFields(powers, text, { now: from, timezone })
  const until = instantOf(read(tell('reminders.put_off_asked', { when: onTheHour(when) }), now)['from'])
  const asked = dayAsked(read, when, { until, now, timezone })
  const question = asked ?? tell('reminders.day_asked', { when })
  const before = localMoment(due ?? now, timezone)
  const isTime = TIME_OF_DAY.test(when.trim())
  const moved = (wanted: string, first: string): Result<Moved> => {
    const at = instantOfLocal(wanted, timezone)
    const nth = isTime || repeat === null ? null : ordinalOf(repeat)
    if (repeat !== null && nth !== null && isWeekday((from) => instantOf(read(question, from)['from']), now))
      return ok(toNth(at, repeat, { nth, timezone }))
    return ok({ at, repeat: repeat === null ? null : { ...repeat, first } })
  }
  // An exact moment in digits and an offset.
  const exactly = instantOf(when)
  if (exactly !== null) return moved(localMoment(exactly, timezone), localMoment(exactly, timezone))
  const isDay = asked !== null
  const at = isDay ? instantOf(read(asked, now)['from']) : until
  if (at === null) return err('reminder_time_unclear')
  const said = localMoment(at, timezone)
  const [dayBefore, timeBefore] = [before.slice(0, 10), before.slice(11)]
  const first = repeat?.first ?? before
  if (isDay) return moved(`${said.slice(0, 10)} ${timeBefore}`, `${said.slice(0, 10)} ${first.slice(11)}`)
  if (!isTime) return moved(said, said)
  const time = nearTo(timeBefore, said.slice(11), when)
  return moved(`${dayBefore} ${time}`, `${first.slice(0, 10)} ${time}`)
}

/** Around a repetition: "weekdays only", "nur noch montags". */
const AROUND_OFTEN =
  /^(?:(?:only|just|to|nur|noch|immer|auf) )+|(?: (?:only|instead|then|please|from now on|nur|stattdessen|bitte|ab jetzt))+$/giu
const NAMES_A_TIME = /\d[:.]\d\d|\d ?(?:am|pm|a\.m|p\.m|uhr|h(?!\p{L}))|(?<!\p{L})(?:at|um) (?:\d|\p{L})/iu
/** Their days follow from the repetition alone. */
const BY_DAYS: ReadonlySet<string> = new Set(['daily', 'weekdays', 'on_days'])

/**
 * How often it comes from now on, from its next day on that fits; null for words that name no repetition. Without a time it
 * keeps its own.
 */
function repeatedTo(
  powers: Clock & OwnerFacts & Extraction,
  { due, repeat }: Pick<Reminder, 'due' | 'repeat'>,
  when: string,
): Moved | null {
  const now = powers.now()
  const { timezone } = powers.profile()
  const said = when.trim().replace(AROUND_OFTEN, '')
  const read = [
    tell('reminders.often_asked', { when: said }),
    tell('reminders.often_asked', { when: `on ${said}` }),
    tell('reminders.often_asked_german', { when: said }),
  ]
    .map((text) => typedFields(powers, text, { now, timezone }) as Readonly<Record<string, Json>>)
    .find(
      ({ intent, repeat: kind, from }) => intent === 'reminder_set' && kindOf(kind) !== null && from !== null,
    )
  const kind = kindOf(read?.['repeat'])
  const from = instantOf(read?.['from'])
  const every = read?.['count'] ?? 1
  if (kind === null || from === null || !isEvery(kind, every)) return null
  const [day = '', clock = ''] = localMoment(from, timezone).split(' ')
  const [dueDay = '', dueClock = ''] = localMoment(due ?? from, timezone).split(' ')
  const time = due === null || NAMES_A_TIME.test(said) ? clock : dueClock
  const first = `${BY_DAYS.has(kind) ? dueDay : day} ${time}`
  const often: Repeat = { kind, every, first, ...(repeat !== null && endOf(repeat)) }
  const at = nextOccurrence(often, Math.max(now, instantOfLocal(first, timezone) - 1), timezone)
  return Number.isFinite(at) ? { at, repeat: { ...often, first: localMoment(at, timezone) } } : null
}

function kindOf(said: unknown): RepeatKind | null {
  return REPEATS.find((one) => one === said) ?? null
}

/**
 * To when words put off this occurrence; null for words that name no time. From now if it has come; else from when it is due, and a day alone keeps its time
 * of day.
 */
export function putOffTo(
  powers: Clock & OwnerFacts & Extraction,
  { due, occurrence, answered }: Pick<Reminder, 'due' | 'occurrence' | 'answered'>,
  when: string,
): number | null {
  if (due === null || (occurrence !== null && answered === null)) return laterIn(powers, when)
  const length = shiftIn(`${when} later`)
  const to =
    length === null
      ? movedTo(powers, { due, repeat: null }, when)
      : movedBy(powers, { due, repeat: null }, length)
  // How often it comes is not put off.
  return to.ok && to.value.repeat === null ? to.value.at : null
}

type Read = (text: string, from: number) => Readonly<Record<string, unknown>>

/** A bare hour as a clock shows it, also one in words. */
function onTheHour(when: string): string {
  const [, said = ''] = /^\s*(?:at |um )?(\d{1,2}|\p{L}+)(?: (?:uhr|o'clock))?\s*$/iu.exec(when) ?? []
  const at = HOURS.indexOf(said.toLowerCase())
  return at >= 0 ? `${(at % 12) + 1}:00` : /^\d/.test(said) ? `${said}:00` : when
}

const TODAY = /^(?:today|heute)$/i
/** Where no time is said, a day is put off to nine in the morning. */
const MORNING = '09:00'
const LENGTH = /(?:minute|min|hour|hrs?|stunde)/i

/**
 * The question that reads these words as a day without a time; null where they are none. A question that understood nothing is
 * of today.
 */
function dayAsked(
  read: Read,
  when: string,
  {
    until,
    now,
    timezone,
  }: { readonly until: number | null; readonly now: number; readonly timezone: string },
): string | null {
  const [english, german] = [
    tell('reminders.day_asked', { when }),
    tell('reminders.day_asked_german', { when }),
  ]
  if (TODAY.test(when.trim())) return /^h/i.test(when.trim()) ? german : english
  const [day, time] = until === null ? [] : localMoment(until, timezone).split(' ')
  if (time !== MORNING || LENGTH.test(when)) return null
  const isThat = (asked: string): boolean => {
    const { from, wholeDay } = read(asked, now)
    const start = instantOf(from as Json)
    return wholeDay === true && start !== null && localMoment(start, timezone).slice(0, 10) === day
  }
  return [english, german].find(isThat) ?? null
}

/** Refusal: reminder_time_unclear for a repetition on named days that would come on others. */
function movedBy(
  { profile }: OwnerFacts,
  { due, repeat }: { readonly due: number; readonly repeat: Repeat | null },
  { by, isDays }: Shift,
): Result<Moved> {
  const { timezone } = profile()
  const before = localMoment(due, timezone)
  const day = new Date(Date.parse(`${before.slice(0, 10)}T00:00:00Z`) + by).toISOString().slice(0, 10)
  const at = isDays ? instantOfLocal(`${day} ${before.slice(11)}`, timezone) : due + by
  const first = localMoment(at, timezone)
  const isOtherDay = first.slice(0, 10) !== before.slice(0, 10)
  if (isOtherDay && (repeat?.kind === 'on_days' || repeat?.kind === 'weekdays'))
    return err('reminder_time_unclear')
  return ok({ at, repeat: repeat === null ? null : { ...repeat, first } })
}

/** Which of the month's such weekdays it is, `LAST` for the last one; null of any other repetition. */
function ordinalOf({ kind, first }: Repeat): number | null {
  if (kind === 'last_weekday') return LAST
  return kind === 'monthly_weekday' ? Math.ceil(Number(first.slice(8, 10)) / 7) : null
}

const LAST = -1
const DAY = 86_400_000

/** A weekday alone, in any language: a week later it names the day a week later, and a day later the same one or that. */
function isWeekday(read: (now: number) => number | null, now: number): boolean {
  const [today, tomorrow, inAWeek] = [0, 1, 7].map((days) => read(now + days * DAY))
  if (today == null || tomorrow == null || inAWeek == null) return false
  const later = (at: number): number => Math.round((at - today) / DAY)
  return later(inAWeek) === 7 && [0, 7].includes(later(tomorrow))
}

/** The first such weekday of a month from there on that is the nth one. */
function toNth(
  from: number,
  repeat: Repeat,
  { nth, timezone }: { readonly nth: number; readonly timezone: string },
): Moved {
  const local = localMoment(from, timezone)
  const start = Date.parse(`${local.slice(0, 10)}T00:00:00Z`)
  const monthOf = (day: number): number => new Date(day).getUTCMonth()
  const isNth = (day: number): boolean =>
    nth === LAST ? monthOf(day + 7 * DAY) !== monthOf(day) : Math.ceil(new Date(day).getUTCDate() / 7) === nth
  let day = start
  while (!isNth(day)) day += 7 * DAY
  const first = `${new Date(day).toISOString().slice(0, 10)} ${local.slice(11)}`
  return { at: instantOfLocal(first, timezone), repeat: { ...repeat, first } }
}

/** Half of the day said, or an hour that is of one half only; "6 Uhr" is said of both. */
const SURE = /[ap]\.?m|morning|afternoon|evening|night|morgen|mittag|abend|nacht|früh|^\D*(?:0\d|1[3-9]|2\d)/i

/** `6:30` is the half of the day that is nearer to when it came before. */
function nearTo(before: string, said: string, when: string): string {
  if (SURE.test(when.trim())) return said
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const other = (minutes(said) + 720) % 1440
  const far = (at: number): number => Math.abs(at - minutes(before))
  if (far(minutes(said)) <= far(other)) return said
  return [Math.floor(other / 60), other % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
