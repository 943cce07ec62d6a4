/**
 * Plans the reminder that was just set for another time as well: "and on Friday too", "und übermorgen auch",
 * "and again tomorrow at 9". Its text is a field of that reminder, and so is the time of day where none is
 * said. Called by planner.ts.
 */

import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'
import { dueOf } from '../../../extractors/timed/reminder.ts'
import { fieldOf } from '../answers/content.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'

/** UTF-16 units: it is a day and little else. */
const MOST = 60
const ALSO =
  /^(?:(?:and|und|oh|ach|please|bitte),? )*(?:(?:again|the same|remind me|das gleiche|dasselbe|nochmal|noch mal)(?: (?:again|on|am|bitte))* )?(?<day>\S.{1,30}?)(?:,? (?:too|as well|also|again|auch|ebenfalls|genauso|nochmal|noch mal))+(?: (?:please|bitte))?[\s.!]*$/iu

/** "And again tomorrow at 9": what says so stands before it. */
const AGAIN =
  /^(?:(?:and|und|oh|ach|please|bitte|also|auch),? )*(?:once more|(?:remind me )?(?:again|too)|the same|the same again|das gleiche|dasselbe|nochmals?|noch (?:ein)?mal|(?:erinner(?:e)? mich )?(?:auch noch|nochmals?|noch (?:ein)?mal))(?: (?:on|am|bitte|please))* (?<day>\S.{1,40}?)[\s.!]*$/iu

/** Null for any other message, and where nothing but one reminder was not set right before. */
export function onAnotherDay(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request, metadata } = parts
  const found = request.length > MOST ? null : (ALSO.exec(request.trim()) ?? AGAIN.exec(request.trim()))
  const day = found?.groups?.['day']
  const last = metadata.find(({ root }) => root === 'w1')
  if (day === undefined || last?.action !== 'reminder.set' || !offered.has('reminder.set')) return null
  const fields = last.fields as Json
  if ((fieldOf(fields, 'repeat') ?? null) !== null || metadata.some(({ root }) => /^q\d+$/.test(root)))
    return null
  const { zone, ...moment } = momentOf(parts)
  // What has come meanwhile is put off.
  const due = Date.parse(String(fieldOf(fields, 'due') ?? ''))
  if (due <= moment.now) return null
  const { span, rest } = readDates(day, { zone, ...moment })
  const isWhole = /^[\s,.]*(?:on|for|am|at|um)?[\s,.]*$/i.test(rest)
  if (span === null || !isWhole || span.to - span.from >= 2 * DAY) return null
  if (span.named !== 'days')
    return steps(
      call('s1', 'reminder.set', { text: ref('w1.text'), due: zone.iso(dueOf(span, { zone, ...moment })) }),
    )
  return steps(
    { id: 's1', do: 'compute', op: 'on_day', of: [ref('w1.due'), zone.iso(span.from)] },
    call('s2', 'reminder.set', { text: ref('w1.text'), due: ref('s1') }),
  )
}
