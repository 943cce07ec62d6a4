/**
 * Plans looks and bookings of events in words that no sentence has: one of the times that were found ("nimm den dritten"), the free ones of a weekday in a month, one
 * title at two times, and what is off tomorrow ("sag die morgige ab"). Must not change an event itself: each write has its card. Passed to the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan, SelectStep } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'
import { plannedAs } from '../parts/said-as.ts'
import { joined, momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'

type PlanOf = (parts: PromptParts) => Plan

/** UTF-16 units: requests are short. */
const LONGEST = 140

/** Null for any other message. */
export function moreEvents(parts: PromptParts, planOf: PlanOf): Plan | null {
  if (parts.request.length > LONGEST || /[\n"“”„]/.test(parts.request)) return null
  return takenTime(parts, planOf) ?? freeDays(parts) ?? atTwoTimes(parts, planOf) ?? offOnDay(parts)
}

const LEAD = '^(?:(?:ok(?:ay)?|and|und|then|dann|please|bitte|ja|yes|gut|good|great|super|so),? )*'
const TAIL = '(?:,? (?:please|bitte|then|dann))*[\\s.!]*$'
const GERMAN: Readonly<Record<string, string>> = {
  ...{ erst: 'first', zweit: 'second', dritt: 'third', viert: 'fourth', fünft: 'fifth', letzt: 'last' },
}
const TAKES = new RegExp(
  `${LEAD}(?:(?:i(?:['’]ll| will)|let['’]s|we(?:['’]ll| will)|wir|ich) )?(?:take|have|do|pick|choose|use|go (?:with|for)|nimm|nehmen? wir|nehmen?|buche?|buchen wir) (?:the|den|die|das) (?:(?<nth>first|second|third|fourth|fifth|last)|(?<german>${Object.keys(GERMAN).join('|')})e[nrs]?)(?: (?:one|time|slot|option|termin|vorschlag|zeit))?${TAIL}`,
  'iu',
)

/** Right after times were found. */
function takenTime(parts: PromptParts, planOf: PlanOf): Plan | null {
  const { nth, german } = TAKES.exec(parts.request.trim())?.groups ?? {}
  const place = nth ?? GERMAN[german?.toLowerCase() ?? '']
  const last = parts.metadata.find(({ root }) => root === 'w1')?.action
  if (place === undefined || last !== 'calendar.find_times') return null
  return made(plannedAs(`book the ${place} one`, parts, planOf))
}

const WEEKDAYS = [
  'sunday|sonntag',
  'monday|montag',
  'tuesday|dienstag',
  'wednesday|mittwoch',
  'thursday|donnerstag',
  'friday|freitag',
  'saturday|samstag|sonnabend',
]
const WHICH = new RegExp(
  `${LEAD}(?:which|what|welche[rsn]?|an welche[nm]) (?<day>${WEEKDAYS.join('|')})(?:s|e)? (?<rest>\\S.{2,60}?)[\\s?!.]*$`,
  'iu',
)
const FREE = /(?<!\p{L})(?:free|available|empty|open|frei|nichts|leer)(?!\p{L})/iu
/** Days of one look, each by itself: as many weekdays as a month has. */
const MOST_DAYS = 5

/** "Which saturday is free in december": each of them. */
function freeDays(parts: PromptParts): Plan | null {
  const { day = '', rest = '' } = WHICH.exec(parts.request.trim())?.groups ?? {}
  const weekday = WEEKDAYS.findIndex((names) => names.split('|').includes(day.toLowerCase()))
  if (weekday < 0 || !FREE.test(rest)) return null
  const { now, zone } = momentOf(parts)
  const { span } = readDates(rest, { now, zone })
  const today = zone.dayOf(now)
  const [from, to] = span === null ? [today, today + 5 * 7] : [zone.dayOf(span.from), zone.dayOf(span.to)]
  // Sunday is 0; 1970-01-01 was a Thursday.
  const isOne = (at: number): boolean => (((at + 4) % 7) + 7) % 7 === weekday
  const days = Array.from({ length: Math.max(0, Math.min(to - from, 62)) }, (_, at) => from + at)
    .filter((at) => at >= today && isOne(at))
    .slice(0, MOST_DAYS)
  if (days.length === 0) return null
  const at = (one: number): string => zone.iso(zone.instantOf(one, 0))
  return steps(
    ...days.map((one, index) =>
      call(`s${index + 1}`, 'calendar.freebusy', { from: at(one), to: at(one + 1) }),
    ),
  )
}

const AND = /,? (?:and|und|&) (?:then |dann |also |auch )?|, /giu
/** Asks, or is said of something that is there. */
const NO_TITLE =
  /[?:]|(?<!\p{L})(?:what|when|which|who|how|am|is|are|was|wann|wie|wer|move|cancel|change|delete|remind\p{L}*|verschieb\p{L}*|lösch\p{L}*|sag|erinner\p{L}*|every|each|jede\p{L}*|free|frei|not|nicht|mail|e-?mail|send|schick\p{L}*)(?!\p{L})/iu

/** "Work shift fri 14-18 and sat 8-12": what stands behind the joint is a day with its hours, and no more. */
function atTwoTimes(parts: PromptParts, planOf: PlanOf): Plan | null {
  const text = parts.request.trim()
  const moment = momentOf(parts)
  for (const cut of text.matchAll(AND)) {
    const [first, second] = [
      text.slice(0, cut.index),
      text.slice(cut.index + cut[0].length).replace(/[.!]+$/, ''),
    ]
    const [one, other] = [readDates(first, moment), readDates(second, moment)]
    const isOther = other.rest.replace(/(?<!\p{L})(?:on|at|am|um|von|from)(?!\p{L})/giu, '').trim() === ''
    const isTimed = (span: typeof one.span): boolean => span !== null && span.to - span.from < DAY / 2
    if (!isOther || !isTimed(one.span) || !isTimed(other.span)) continue
    const title = one.rest
      .replace(/\s+/g, ' ')
      .replace(/ (?:on|at|am|um|von|from)$/iu, '')
      .trim()
    if (title === '' || NO_TITLE.test(title) || one.span === null || other.span === null) return null
    if (moment.zone.dayOf(one.span.from) === moment.zone.dayOf(other.span.from)) return null
    const each = [first, `${title} ${second}`].map((said) => made(plannedAs(said, parts, planOf)))
    const [book, again] = each
    const isBooked = (plan: Plan | null | undefined): plan is Plan =>
      plan?.steps.every((step) => step.do === 'tool' && step.tool === 'calendar.create_event') === true
    return isBooked(book) && isBooked(again) ? joined([book, again]) : null
  }
  return null
}

const OFF = new RegExp(
  `${LEAD}(?:sage?|blase?) (?:bitte )?(?:den|die|das) (?<when>heutige|morgige|übermorgige)n?(?: (?<what>[\\p{L}-]{2,30}))?(?: bitte| doch)* ab${TAIL}`,
  'iu',
)
const DAYS: Readonly<Record<string, number>> = { heutige: 0, morgige: 1, übermorgige: 2 }

/** "Sag die morgige ab": the one of that day, else it is asked which. */
function offOnDay(parts: PromptParts): Plan | null {
  const { when, what } = OFF.exec(parts.request.trim())?.groups ?? {}
  const ahead = DAYS[when?.toLowerCase() ?? '']
  if (ahead === undefined) return null
  const { now, zone } = momentOf(parts)
  const at = (day: number): string => zone.iso(zone.instantOf(zone.dayOf(now) + day, 0))
  const isNamed = what !== undefined && !/^(?:termin|veranstaltung|besprechung)$/iu.test(what)
  const pick: SelectStep = {
    ...{ id: 's2', do: 'select', from: 's1.events', take: 'one' },
    ...(isNamed && { matching: what }),
  }
  return steps(
    call('s1', 'calendar.list_events', { from: at(ahead), to: at(ahead + 1) }),
    pick,
    call('s3', 'calendar.delete_event', { id: ref('s2.id'), calendar: ref('s2.calendarId') }),
  )
}

function made(plan: Plan): Plan | null {
  return plan.steps.length > 0 ? plan : null
}
