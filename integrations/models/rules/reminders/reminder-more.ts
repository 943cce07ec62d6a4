/**
 * Plans reminders that come more than once without a repetition: two times in one message ("at 9 and again at
 * 12"), two things at two times ("tomorrow at 9 to call mum and at 11 to call dad"), and daily until done
 * ("chase me every day about the invoice until it's paid"). Must not read another request. Called by planner.ts.
 */
import { untilDoneIn } from '../../../../kernel/features/reminders/until-done.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { type ReminderReading, readReminder } from '../../../extractors/timed/reminder.ts'
import { momentOf } from '../several.ts'
import { call, steps } from '../steps.ts'

/** UTF-16 units: requests are short. */
const MOST = 200
const CLOCK = "\\d{1,2}(?:[:.]\\d\\d)?(?: ?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h|o'clock))?"
const AGAIN =
  '(?:,? (?:and|und|&|\\+)(?: (?:then|once more|again|dann|nochmals?|noch (?:ein)?mal|wieder))*|,? then(?: again)?)'
const TWO = new RegExp(
  `^(?<head>.*?(?<!\\p{L}))(?<at>at|um) (?<one>${CLOCK})${AGAIN} (?:(?:at|um) )?(?<two>${CLOCK})(?![\\p{L}\\d:.]*\\d)(?! (?:min|hour|day|people|person|stunde|tag))(?<tail>.*)$`,
  'isu',
)
/** Heard as a reminder, when it is to come until something is done. */
const CHASE = /(?<!\p{L})(?:chase|bug|pester|hound|nerv|nerve) (?=me|mich)/iu
const HALF = / ?(?<half>am|pm|a\.m\.|p\.m\.)$/i

/** Null for any other message, and where one of the times or the words cannot be read. */
export function moreReminders(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request } = parts
  if (request.length > MOST || !offered.has('reminder.set')) return null
  const ends = untilDoneIn(request)
  const core = coreAsTyped(ends?.without ?? request)
  const two = TWO.exec(core)?.groups
  const things = ends === null ? thingsIn(core, parts) : null
  if (things !== null) return setAll(things, parts)
  if (ends === null && two === undefined) return null
  const said =
    ends === null ? core : core.replace(CHASE, (word) => (/^n/i.test(word) ? 'erinnere ' : 'remind '))
  const read = (two === undefined ? [said] : bothOf(said)).map((text) => readingOf(text, parts))
  const [first, second] = read
  if (first == null || second === null || (ends !== null && first.repeat === null)) return null
  if (
    second !== undefined &&
    (second.topic !== first.topic || second.repeat !== first.repeat || second.due === first.due)
  )
    return null
  return setAll([first, ...(second === undefined ? [] : [second])], parts)
}

function setAll(read: readonly ReminderReading[], parts: PromptParts): Plan {
  const { zone } = momentOf(parts)
  return steps(
    ...read.map(({ topic, due, repeat, count }, at) =>
      call(`s${at + 1}`, 'reminder.set', {
        text: topic ?? '',
        due: zone.iso(due ?? 0),
        ...(repeat !== null && { repeat }),
        ...(count !== null && { every: count }),
      }),
    ),
  )
}

const HEAD = /^(?<head>remind me|erinner(?:e)? mich) (?<rest>\S.*)$/isu
const AND =
  /,? (?:and|und|&) (?:then |dann |also |auch )?|, (?=(?:at|on|um|am|tomorrow|übermorgen|morgen|\d) )/giu
const AROUND_TIME = /^[\s,.]*(?:(?:on|at|in|um|am|gegen|by|den|the)[\s,.]*)*$/iu
/** Things of one message. */
const MOST_THINGS = 4
/** A day of its own. */
const OWN_DAY =
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

/** The message with either time alone. "9 and 11 pm" are of one half of the day. */
function bothOf(said: string): readonly [string, string] {
  const { head = '', at = '', one = '', two = '', tail = '' } = TWO.exec(said)?.groups ?? {}
  const half = HALF.exec(one) === null ? (HALF.exec(two)?.groups?.['half'] ?? '') : ''
  return [`${head}${at} ${one}${half === '' ? '' : ` ${half}`}${tail}`, `${head}${at} ${two}${tail}`]
}

function readingOf(text: string, parts: PromptParts): ReminderReading | null {
  const read = readReminder(text, momentOf(parts))
  const isWhole = read?.intent === 'reminder_set' && read.due !== null && (read.topic ?? '') !== ''
  return !isWhole || read.repeat === 'unclear' || read.repeat === 'two_ways' ? null : read
}
