/**
 * Plans reminders of several things, each at a time of its own: "remind me tomorrow at 9 to call mum and at 11 to call dad".
 * Must not read another request beside them. Passed to the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { type ReminderReading, readReminder } from '../../../extractors/timed/reminder.ts'
import { momentOf } from '../several.ts'
import { CLOCK, setAll } from './reminder-more.ts'

/** UTF-16 units: requests are short. */
const MOST = 300
const HEAD = /^(?<head>remind me|erinner(?:e)? mich) (?<rest>\S.*)$/isu
const AND =
  /,? (?:and|und|&) (?:then |dann |also |auch )?|, (?=(?:at|on|um|am|tomorrow|übermorgen|morgen|\d) )/giu
const AROUND_TIME = /^[\s,.]*(?:(?:on|at|in|um|am|gegen|by|den|the)[\s,.]*)*$/iu
/** Things of one message. */
const MOST_THINGS = 4
/** A day of its own. */
export const OWN_DAY =
  /(?<!\p{L})(?:today|tonight|tomorrow|heute?|übermorgen|morgen|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|next|nächste\p{L}*|in (?:\d|an?|eine[rm]?))(?!\p{L})|\d{1,2}\. ?(?:\d|\p{L}{3,})|\d(?:st|nd|rd|th)(?!\p{L})/iu
const CLOCKED = new RegExp(`(?<!\\p{L})(?:at|um|gegen|by) ${CLOCK}|(?<!\\d)\\d{1,2}:\\d\\d`, 'iu')
const OF = {
  r: /(?<!\p{L})(?:to|about|of|that)(?!\p{L})/iu,
  e: /(?<!\p{L})(?:an|ans|daran|dass)(?!\p{L})/iu,
} as const

/** Each with a time and a thing of its own; null where one has not. A later one without a day is of the day before it. */
function thingsIn(core: string, parts: PromptParts): readonly ReminderReading[] | null {
  const { head = '', rest = '' } = HEAD.exec(core)?.groups ?? {}
  const of = head.startsWith('r') || head.startsWith('R') ? OF.r : OF.e
  const isOne = (said: string): boolean => CLOCKED.test(said) && of.test(said)
  const said: string[] = []
  let from = 0
  for (const cut of rest.matchAll(AND)) {
    const behind = rest.slice(cut.index + cut[0].length)
    if (!isOne(rest.slice(from, cut.index)) || !isOne(behind)) continue
    // "… and tell dad at 11 to come" is another request.
    const time = behind.slice(0, of.exec(behind)?.index ?? 0)
    if (!AROUND_TIME.test(readDates(time, momentOf(parts)).rest)) return null
    said.push(rest.slice(from, cut.index))
    from = cut.index + cut[0].length
  }
  if (said.length === 0 || said.length >= MOST_THINGS) return null
  const read: ReminderReading[] = []
  const { now, zone } = momentOf(parts)
  for (const one of [...said, rest.slice(from)]) {
    const day = read.at(-1)?.due ?? null
    const start =
      day === null || OWN_DAY.test(one) ? now : Math.max(now, zone.instantOf(zone.dayOf(day), 0) - 1)
    const found = readReminder(`${head} ${one}`, { ...momentOf(parts), now: start })
    if (found?.intent !== 'reminder_set' || found.due === null || (found.topic ?? '') === '') return null
    if (found.repeat !== null || saysSecond(found.topic ?? '')) return null
    read.push(found)
  }
  return read
}

/** Null for any other message. */
export function severalThings(parts: PromptParts): Plan | null {
  if (parts.request.length > MOST) return null
  const things = thingsIn(coreAsTyped(parts.request), parts)
  return things === null ? null : setAll(things, parts)
}
