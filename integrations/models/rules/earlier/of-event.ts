/**
 * Plans looks at the calendar in words that no sentence has: what overlaps, when something was last, whether a day is free, and
 * how long or where the event is that was just shown or booked, and a reminder before it. Must not change an event. Passed to
 * the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'
import { asksOfFree, asksOfShown } from '../../../extractors/message/message-at-home.ts'
import { asksClash, lastAskedIn } from '../../../extractors/message/message-event.ts'
import { stateAsked } from '../checks/state-asked.ts'
import { plannedAs } from '../parts/said-as.ts'
import { beforeIt, ofBooked } from '../reminders/of-booked.ts'
import { saidOf } from '../said.ts'
import { momentOf } from '../several.ts'
import { call, isRead, ref, steps } from '../steps.ts'

type PlanOf = (parts: PromptParts) => Plan

/** UTF-16 units: such questions are short. */
const MOST = 80
const LIST = 'calendar.list_events'
/** Days that one look at a calendar goes back: as far as the tool lists. */
export const LOOKED_BACK = 62

/** Null for any other message. */
export function ofEvent(parts: PromptParts, planOf: PlanOf): Plan | null {
  const { request } = parts
  if (request.length > MOST) return null
  const moment = momentOf(parts)
  const { zone, now } = moment
  const said = saidOf(parts)
  if (asksClash(request)) {
    const isSaid = readDates(request, moment).span !== null && said.has('from') && said.has('to')
    return steps(call('s1', LIST, isSaid ? { from: ref('said.from'), to: ref('said.to') } : {}))
  }
  if (lastAskedIn(request) !== null)
    return steps(call('s1', LIST, { from: zone.iso(now - LOOKED_BACK * DAY), to: zone.iso(now) }))
  const booked = beforeIt(parts) ?? ofBooked(parts)
  if (booked !== null) return booked
  if (asksOfFree(request) && said.intent === 'calendar_free' && said.has('from'))
    return steps(call('s1', 'calendar.freebusy', { from: ref('said.from'), to: ref('said.to') }))
  const state = stateAsked(request)
  const looked = state === null ? null : plannedAs(state, parts, planOf)
  if (looked !== null && looked.steps.length > 0 && isRead(looked)) return looked
  const last = parts.metadata.find(({ root }) => root === 'w1')?.action ?? ''
  if (!asksOfShown(request) || !/^calendar\.(?:list_events|read_event|create_event|update_event)$/.test(last))
    return null
  const plan = plannedAs('who is coming to it', parts, planOf)
  return plan.steps.length === 0 ? null : plan
}
