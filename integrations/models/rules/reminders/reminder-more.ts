/**
 * Plans reminders that come more than once without a repetition: two times in one message ("at 9 and again at
 * 12"), and daily until done ("chase me every day about the invoice until it's paid"). Two times make two
 * reminders. Must not read another request. Called by planner.ts.
 */
import { untilDoneIn } from '../../../../kernel/features/reminders/until-done.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { type ReminderReading, readReminder } from '../../../extractors/timed/reminder.ts'
import { momentOf } from '../several.ts'
import { call, steps } from '../steps.ts'

/** UTF-16 units: requests are short. */
const MOST = 200
export const CLOCK = "\\d{1,2}(?:[:.]\\d\\d)?(?: ?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h|o'clock))?"
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

/** One reminder of each. */
export function setAll(read: readonly ReminderReading[], parts: PromptParts): Plan {
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
