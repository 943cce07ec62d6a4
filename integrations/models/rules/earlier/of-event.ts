/**
 * Plans looks at the calendar in words that no sentence has: what overlaps, when something was last, whether a day is free, and how long or where the event is that
 * was just shown or booked, and a reminder before it. Must not change an event. Passed to the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY, MINUTE } from '../../../dates/zone.ts'
import { asksOfShown } from '../../../extractors/message/message-at-home.ts'
import { lastAskedIn } from '../../../extractors/message/message-event.ts'
import { plannedAs } from '../parts/said-as.ts'
import { LENGTH_BEFORE, lengthIn } from '../reminders/ahead.ts'
import { saidOf } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, ref, steps } from '../steps.ts'

type PlanOf = (parts: PromptParts) => Plan

/** UTF-16 units: such questions are short. */
const MOST = 80
const LIST = 'calendar.list_events'
/** Days that one look at a calendar goes back: as far as the tool lists. */
export const LOOKED_BACK = 62

const IS_FREE =
  /^(?:(?:and|ok),? )?is (?<when>\S.{1,40}?) (?:still |all |completely )?free(?: (?:for me|at all))?[?.!\s]*$/iu
const BEGINS = /^(?:on|at|today|tomorrow|tonight|this|next|the)(?!\p{L})/iu

const TOLD_BEFORE: readonly RegExp[] = [
  `(?:(?:and|please),? )*(?:remind|nudge|ping) me (?:(?:of|about) (?:it|that) )?${LENGTH_BEFORE} (?:before(?:hand)?|earlier|ahead|in advance|prior)(?: (?:it|that))?(?:,? please)?`,
  `(?:(?:und|bitte),? )*erinner(?:e)? mich (?:(?:bitte|daran|dran) )*${LENGTH_BEFORE} (?:vorher|davor|zuvor|vorab|früher)(?: (?:bitte|dran|daran))*`,
].map((pattern) => new RegExp(`^${pattern}[\\s.!]*$`, 'iu'))
const [MORNING, EVENING] = [9 * 60, 20 * 60]

/** "Erinner mich eine Stunde vorher", right after an event was booked, changed or shown; null for any other message. */
function beforeIt(parts: PromptParts): Plan | null {
  const found = TOLD_BEFORE.map((one) => one.exec(parts.request)?.groups).find((one) => one !== undefined)
  const length = found === undefined ? null : lengthIn(found)
  const last = parts.metadata.find(({ root }) => root === 'w1')?.action ?? ''
  if (length === null || !/^calendar\.(?:read|create|update)_event$/.test(last)) return null
  const { zone, now } = momentOf(parts)
  const isDays = length.before % DAY === 0
  const by = isDays ? length.before / DAY : length.before / MINUTE
  const clock = zone.iso(zone.instantOf(zone.dayOf(now), length.evening ? EVENING : MORNING))
  return steps(
    call('s1', 'calendar.read_event', { id: ref('w1.id') }),
    { id: 's2', do: 'compute', op: 'shift', of: [ref('s1.from'), -by], unit: isDays ? 'days' : 'minutes' },
    ...(isDays ? [{ id: 's3', do: 'compute' as const, op: 'on_day' as const, of: [clock, ref('s2')] }] : []),
    call('s4', 'reminder.set', { text: ref('s1.title'), due: ref(isDays ? 's3' : 's2') }),
  )
}

/** Null for any other message. */
export function ofEvent(parts: PromptParts, planOf: PlanOf): Plan | null {
  const { request } = parts
  if (request.length > MOST) return null
  const moment = momentOf(parts)
  const { zone, now } = moment
  const said = saidOf(parts)
  if (said.clash) {
    const isSaid = readDates(request, moment).span !== null && said.has('from') && said.has('to')
    return steps(call('s1', LIST, isSaid ? { from: ref('said.from'), to: ref('said.to') } : {}))
  }
  if (lastAskedIn(request) !== null)
    return steps(call('s1', LIST, { from: zone.iso(now - LOOKED_BACK * DAY), to: zone.iso(now) }))
  const before = beforeIt(parts)
  if (before !== null) return before
  const when = IS_FREE.exec(request)?.groups?.['when']
  if (when !== undefined) {
    const on = BEGINS.test(when) ? when : `on ${when}`
    const { span, rest } = readDates(on, moment)
    return span === null || /[\p{L}\d]{3}/u.test(rest) ? null : plannedAs(`am i free ${on}`, parts, planOf)
  }
  const last = parts.metadata.find(({ root }) => root === 'w1')?.action ?? ''
  if (!asksOfShown(request) || !/^calendar\.(?:list_events|read_event|create_event|update_event)$/.test(last))
    return null
  const plan = plannedAs('who is coming to it', parts, planOf)
  return plan.steps.length === 0 ? null : plan
}
