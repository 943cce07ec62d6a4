/**
 * Plans the reminder that was just set for another day as well: "and on Friday too", "und übermorgen auch".
 * Text and time of day are fields of that reminder. Must not read a time of day. Called by planner.ts.
 */

import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'
import { fieldOf } from '../answers/content.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'

/** UTF-16 units: it is a day and little else. */
const MOST = 60
const ALSO =
  /^(?:(?:and|und|oh|ach|please|bitte),? )*(?:(?:again|the same|remind me|das gleiche|dasselbe|nochmal|noch mal)(?: (?:again|on|am|bitte))* )?(?<day>\S.{1,30}?)(?:,? (?:too|as well|also|again|auch|ebenfalls|genauso|nochmal|noch mal))+(?: (?:please|bitte))?[\s.!]*$/iu

/** Null for any other message, and where nothing but one reminder was not set right before. */
export function onAnotherDay(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const { request, metadata } = parts
  const day = request.length > MOST ? undefined : ALSO.exec(request.trim())?.groups?.['day']
  const last = metadata.find(({ root }) => root === 'w1')
  if (day === undefined || last?.action !== 'reminder.set' || !offered.has('reminder.set')) return null
  const fields = last.fields as Json
  if ((fieldOf(fields, 'repeat') ?? null) !== null || metadata.some(({ root }) => /^q\d+$/.test(root)))
    return null
  const { zone, ...moment } = momentOf(parts)
  const { span, rest } = readDates(day, { zone, ...moment })
  const isDay =
    span !== null &&
    span.named === 'days' &&
    span.to - span.from < 2 * DAY &&
    /^[\s,.]*(?:on|for|am|at)?[\s,.]*$/i.test(rest)
  if (!isDay) return null
  return steps(
    { id: 's1', do: 'compute', op: 'on_day', of: [ref('w1.due'), zone.iso(span.from)] },
    call('s2', 'reminder.set', { text: ref('w1.text'), due: ref('s1') }),
  )
}
