/**
 * "Am I free at 3?": what takes that time is named, where the owner may see it. Of days and parts of days the times are told, and by name what is
 * tentative alone. Must not read a message.
 * Called by planner.ts and answer.ts.
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
/** Milliseconds: of longer spans a list of events would have no end. */
const MOST_DAYS = 14 * 86_400_000

/** The plan with a look at what is at that time; as it was for any other, and where events are not shown. */
export function withTaken(plan: Plan, said: Said, offered: ReadonlySet<string>): Plan {
  const [only, ...others] = plan.steps
  const isOne = only?.do === 'tool' && only.tool === FREE && others.length === 0
  const isSaid = isOne && JSON.stringify(only.args) === JSON.stringify(SAID)
  if (!isSaid || !offered.has(LIST)) return plan
  if (isTime(said)) return { ...plan, steps: [only, call('s2', LIST, only.args)] }
  if (!isDays(said)) return plan
  // First, and by itself: what was looked at last are free times, for "and on Monday?", and they are told whatever the list is.
  return {
    ...plan,
    steps: [
      { ...call('s1', LIST, only.args), independent: true },
      { ...only, id: 's2' },
    ],
  }
}

/** What was asked for, without the look beside it. */
export function withoutTaken(plan: Plan): Plan {
  const [one, other, ...more] = plan.steps.filter((step) => step.do === 'tool')
  const free = [one, other].find((step) => step?.tool === FREE)
  const isBeside = more.length === 0 && [one, other].some((step) => step?.tool === LIST)
  return free !== undefined && isBeside ? { ...plan, steps: [free] } : plan
}

/** What the list beside free times is for: to name all that is at a time, or what is tentative within days; null where it was asked for itself. */
export function takenLook(said: Said, actions: readonly string[]): 'all' | 'tentative' | null {
  if (said.intent !== 'calendar_free') return null
  const looked = actions.join(' ')
  if (isTime(said)) return looked === `${FREE} ${LIST}` ? 'all' : null
  return isDays(said) && looked === `${LIST} ${FREE}` ? 'tentative' : null
}

function lengthOf({ from, to }: Said): number {
  return Date.parse(to) - Date.parse(from)
}

function isTime(said: Said): boolean {
  return !said.wholeDay && lengthOf(said) > 0 && lengthOf(said) <= MOST
}

function isDays(said: Said): boolean {
  return lengthOf(said) > 0 && lengthOf(said) <= MOST_DAYS
}
