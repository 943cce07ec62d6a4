/**
 * Answers "Am I free at 3?" with the event at that time, if the owner may see it. For days and parts of days
 * only times are shown. Must not read a message. Called by planner.ts and answer.ts.
 */
import type { Plan } from '../../../kernel/task/plan.ts'
import type { Said } from './said.ts'
import { call } from './steps.ts'

const FREE = 'calendar.freebusy'
const LIST = 'calendar.list_events'
/** The time that the message has, and no other. */
const SAID = { from: { $ref: 'said.from' }, to: { $ref: 'said.to' } }
/** Milliseconds: what is longer is a part of a day, in which there may be much. */
const MOST = 3 * 3_600_000

/** The plan with a look at what is at that time; as it was for any other, and where events are not shown. */
export function withTaken(plan: Plan, said: Said, offered: ReadonlySet<string>): Plan {
  const [only, ...others] = plan.steps
  const isOne = only?.do === 'tool' && only.tool === FREE && others.length === 0
  const isSaid = isOne && JSON.stringify(only.args) === JSON.stringify(SAID)
  return isSaid && offered.has(LIST) && isTime(said)
    ? { ...plan, steps: [only, call('s2', LIST, only.args)] }
    : plan
}

/** Whether what was listed only says what takes a time that was asked for. */
export function isTakenLook(said: Said, actions: readonly string[]): boolean {
  return said.intent === 'calendar_free' && isTime(said) && actions.join(' ') === `${FREE} ${LIST}`
}

function isTime({ from, to, wholeDay }: Said): boolean {
  const length = Date.parse(to) - Date.parse(from)
  return !wholeDay && length > 0 && length <= MOST
}
