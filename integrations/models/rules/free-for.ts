/**
 * Plans a search for free time of a given length: "2 hours next week for sport", "is there a 90 min slot on
 * friday". Named people become guests; an unknown one is asked about. Must not read another request. Called
 * by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { LENGTH, minutesOf } from '../../dates/lengths.ts'
import { readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { WRITES } from '../../extractors/learned/classes.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { saysSecond, wordsOf } from '../../extractors/message/message-coverage.ts'
import { asksChange } from '../../extractors/message/message-seek.ts'
import { momentOf } from './several.ts'
import { call, nothing } from './steps.ts'
import { recipientsOf, unknownPeople } from './whom.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 250
/** How likely the message must be of free time, where no sentence reads it. */
const LEAST = 0.5
/** Days that are looked at where none is named. */
const WITHIN = 7
/** Minutes: what is longer is a day, and no time to meet. */
const MOST = 8 * 60

/** German articles as they are spoken. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [[/(?<!\p{L})std\.?(?!\p{L})/giu, 'stunden']]
/** Of such a length something is asked, and not when it begins, ends or happens. */
const LONG = new RegExp(
  `(?<!(?<!\\p{L})(?:in|within|after|before|nach|vor|every|alle|next|nächsten|last|letzten|past|by|um|another) )(?<![\\p{L}\\p{N}.:])(?<length>${LENGTH})(?![\\p{L}\\p{N}])(?! (?:ago|later|earlier|before|long|vorher|später|früher|nach|vor|each|every))`,
  'iu',
)
const FREE =
  /(?<!\p{L})(?:free|gap|gaps|slot|slots|chunk|block|spare|available|opening|window|room|uninterrupted|undisturbed|frei\p{L}*|lücke\p{L}*|luft|zeit|platz|für mich|for myself|am stück|irgendwo|somewhere|anywhere|meet|treffen|fit)(?!\p{L})/iu
/** Until that day, and not on it. */
const UNTIL =
  /(?<!(?:not|nicht) )(?<!\p{L})(?:before|b4|until|till|til|by|bis|vor)(?: the| dem| zum)?\s{3,}/iu
const NAME = "[\\p{L}][\\p{L}\\p{M}'’.-]*"
const STOP =
  '(?:for|this|next|on|in|at|to|before|b4|after|preferably|not|no|and i|about|re|over|sometime|tomorrow|today|some|any|please|pls|find|für|diese\\p{L}*|nächste\\p{L}*|am|im|um|vor|nach|wegen|möglichst|irgendwann|morgen|heute|treffen)'
const ONE = `(?!${STOP}(?!\\p{L}))${NAME}(?: (?!${STOP}(?!\\p{L})|(?:and|und|n|plus)(?!\\p{L}))${NAME})?`
const PEOPLE: readonly RegExp[] = [
  `(?<!\\p{L})(?:with|w/|w|mit) (?<whom>${ONE}(?:(?:, | and | und | & | \\+ | plus )(?!me(?!\\p{L}))${ONE})*)`,
  `(?<!\\p{L})(?:me, |me,? (?:and|und|&|\\+) |ich und )(?<whom>${ONE}(?:(?:, | and | und | & | \\+ )${ONE})*)`,
  `(?<whom>${ONE}(?:(?:, | and | und )${ONE})*) (?:and|und|&) (?:i|me|ich)(?!\\p{L})`,
].map((source) => new RegExp(source, 'iu'))
/** Whether there is time, and not when: a look at free time shows it. */
const WHETHER =
  /^(?:(?:hey|hi|ok|so|and|und|moin|na|zwischen|between|am|on)[ ,]+)*(?:(?:have|do|would|will) i|am i|got|any|is there (?!a \d)|(?:hab|habe|hätte) ich|bin ich|noch|gibt)(?!\p{L})|(?<!\p{L})(?:bei mir|hab ich|habe ich)(?!\p{L})/iu
const NOBODY = /^(?:myself|me|mir|it|that|them|him|her|us|ihm|ihr|ihnen|uns|the|a|an|my|free|frei)(?!\p{L})/iu

/**
 * The plan with the length that is asked for; as it was for any other. `exact`: a sentence accounts for every
 * word, and only people can have been left out.
 */
export function withLength(plan: Plan | null, parts: PromptParts, exact: boolean): Plan | null {
  const { request } = parts
  if (request.length > LONGEST || (plan !== null && !isOpen(plan) && !isFreeTime(plan, request))) return plan
  const said = SPOKEN.reduce((text, [spoken, full]) => text.replace(spoken, full), request)
  const minutes = minutesOf(LONG.exec(said)?.groups?.['length'] ?? '')
  if (minutes === null || minutes > MOST || minutes <= 0) return plan
  const isRead = plan !== null && !isOpen(plan)
  if (!isRead && !isLikelyFree(said, parts)) return plan
  const when = spanOf(said.replace(LONG, ' '), parts)
  const whom = PEOPLE.map((pattern) => pattern.exec(request)?.groups?.['whom']).find(
    (one) => one !== undefined,
  )
  const people = whom === undefined || NOBODY.test(whom) ? null : recipientsOf(whom, parts)
  if (exact && whom === undefined) return plan
  if (whom !== undefined && !NOBODY.test(whom) && people === null) return nothing(unknownPeople(whom))
  if (WHETHER.test(request) && people === null)
    return { steps: [call('s1', 'calendar.freebusy', when)], explanation: isRead ? plan.explanation : '' }
  const before = people?.before ?? []
  const guests = people === null ? {} : { attendees: people.to as never }
  return {
    steps: [...before, call(`s${before.length + 1}`, 'calendar.find_times', { ...when, minutes, ...guests })],
    explanation: isRead ? plan.explanation : '',
  }
}

function isOpen({ steps, explanation }: Plan): boolean {
  return steps.length === 0 && explanation === 'not_understood'
}

function isFreeTime({ steps }: Plan, request: string): boolean {
  const [only, ...others] = steps
  if (only?.do !== 'tool' || others.length > 0) return false
  return only.tool === 'calendar.freebusy' || (only.tool === 'calendar.list_events' && FREE.test(request))
}

function isLikelyFree(text: string, parts: PromptParts): boolean {
  if (asksChange(text) || saysSecond(text) || !FREE.test(text)) return false
  if (wordsOf(text).some((word) => NEVER.has(word))) return false
  const likely = likelyOf(parts.request, momentOf(parts))
  const [first] = likely
  if (first === undefined || WRITES.has(first.label)) return false
  const share = likely.reduce(
    (sum, { label, score }) => sum + (/calendar\.(?:find_times|freebusy)$/.test(label) ? score : 0),
    0,
  )
  return share >= LEAST
}

/** Until the day that is named behind "before", else within it. */
function spanOf(text: string, parts: PromptParts): { readonly from: string; readonly to: string } {
  const moment = momentOf(parts)
  const { now, zone } = moment
  const { span, rest } = readDates(text, moment)
  const today = zone.dayOf(now)
  if (span === null) return { from: zone.iso(now), to: zone.iso(zone.instantOf(today + WITHIN, 0)) }
  if (UNTIL.test(rest) && span.from - now < 60 * DAY) return { from: zone.iso(now), to: zone.iso(span.from) }
  return { from: zone.iso(span.from), to: zone.iso(span.to) }
}
