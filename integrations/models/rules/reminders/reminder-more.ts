/**
 * Plans reminders that come more than once without a repetition: two times in one message ("at 9 and again at
 * 12"), and daily until done ("chase me every day about the invoice until it's paid"). Two times make two
 * reminders. Must not read another request. Called by planner.ts.
 */
import { untilDoneIn } from '../../../../kernel/features/reminders/until-done.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan, ToolStep } from '../../../../kernel/task/plan.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { type ReminderReading, readReminder } from '../../../extractors/timed/reminder.ts'
import { isAsked } from '../../../extractors/timed/repeat-rules.ts'
import { momentOf } from '../several.ts'
import { call, steps } from '../steps.ts'

/** UTF-16 units: requests are short. */
const MOST = 200
export const CLOCK = "\\d{1,2}(?:[:.]\\d\\d)?(?: ?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h|o'clock))?"
const AGAIN =
  '(?:,? (?:and|und|&|\\+)(?: (?:then|once more|again|dann|nochmals?|noch (?:ein)?mal|wieder))*|,? then(?: again)?)'
const TIMES = new RegExp(
  `^(?<head>.*?(?<!\\p{L}))(?<at>at|um) (?<one>${CLOCK})(?<more>(?:(?:, ?(?:at |um )?${CLOCK}){0,4}${AGAIN} (?:(?:at|um) )?${CLOCK}))(?![\\p{L}\\d:.]*\\d)(?! (?:min|hour|day|people|person|stunde|tag))(?<tail>.*)$`,
  'isu',
)
const NEXT = new RegExp(CLOCK, 'gi')
/** Heard as a reminder, when it is to come until something is done. */
const CHASE = /(?<!\p{L})(?:chase|bug|pester|hound|nerv|nerve) (?=me|mich)/iu
const HALF = / ?(?<half>am|pm|a\.m\.|p\.m\.)$/i

/** Null for any other message, and where one of the times or the words cannot be read. */
export function moreReminders(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request } = parts
  if (request.length > MOST || !offered.has('reminder.set')) return null
  const ends = untilDoneIn(request)
  const core = coreAsTyped(ends?.without ?? request)
  const isSeveral = TIMES.test(core)
  if (ends === null && !isSeveral) return null
  const said =
    ends === null ? core : core.replace(CHASE, (word) => (/^n/i.test(word) ? 'erinnere ' : 'remind '))
  const read = (isSeveral ? eachOf(said) : [said]).map((text) => readingOf(text, parts))
  const [first, ...others] = read
  if (first == null || (ends !== null && first.repeat === null)) return null
  const set = [first]
  for (const one of others) {
    // Two of one time, or of other words, are not several times of one reminder.
    const isOne = one !== null && one.topic === first.topic && one.repeat === first.repeat
    if (!isOne || set.some(({ due }) => due === one.due)) return null
    set.push(one)
  }
  return setAll(set, parts)
}

/** One reminder of each. */
export function setAll(read: readonly ReminderReading[], parts: PromptParts): Plan {
  return steps(...read.map((one, at) => setOf(one, `s${at + 1}`, parts)))
}

export function setOf(
  { topic, due, repeat, count, until }: ReminderReading,
  id: string,
  parts: PromptParts,
): ToolStep {
  return call(id, 'reminder.set', {
    text: topic ?? '',
    due: momentOf(parts).zone.iso(due ?? 0),
    ...(repeat !== null && { repeat }),
    ...(count !== null && { every: count }),
    ...(until !== undefined && { until }),
  })
}

/** The message with each time alone. "9 and 11 pm" are of one half of the day. */
function eachOf(said: string): readonly string[] {
  const { head = '', at = '', one = '', more = '', tail = '' } = TIMES.exec(said)?.groups ?? {}
  const others = [...more.matchAll(NEXT)].map(([time]) => time)
  const last = others.at(-1) ?? ''
  const half = HALF.exec(last)?.groups?.['half'] ?? ''
  const isBare = [one, ...others.slice(0, -1)].every((time) => HALF.exec(time) === null)
  const own = isBare && others.length === 1 && half !== '' ? ` ${half}` : ''
  return [`${one}${own}`, ...(others.length > 1 ? rising(one, others) : others)].map(
    (time) => `${head}${at} ${time}${tail}`,
  )
}

/** "At 8, 12 and 6" is in the evening: each is later than the one before. */
function rising(first: string, others: readonly string[]): readonly string[] {
  let before = Number.parseInt(first, 10)
  return others.map((time) => {
    const hour = Number.parseInt(time, 10)
    const isLater = HALF.test(time) || hour > before || hour >= 12
    before = hour
    return isLater ? time : `${time} pm`
  })
}

/** A reminder with its words and its time, whose repetition is understood; null for any other text. */
export function readingOf(text: string, parts: PromptParts): ReminderReading | null {
  const read = readReminder(text, momentOf(parts))
  const isWhole = read?.intent === 'reminder_set' && read.due !== null && (read.topic ?? '') !== ''
  return !isWhole || (read.repeat !== null && isAsked(read.repeat)) ? null : read
}
