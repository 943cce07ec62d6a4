/**
 * Daily message limit of a job (DESIGN §9): the approved limit, what is left, and the notice before it is
 * used up. Jobs ask no model, so messages are the only cost. Pure except for the store. Called by
 * proposal.ts, runner.ts and telling.ts.
 */
import type { StoreOf } from '../../powers/stores.ts'
import type { JobDeclaration } from '../../template/job.ts'
import type { JobRepeat } from '../reminders/repeat.ts'
import { type Job, type JobStore, MESSAGES_A_DAY } from './port.ts'
import { dayOf, timesADay } from './schedule.ts'

/** Part of the budget at which the owner is told that it runs out. */
const NOTICE_AT = 0.8
/** Maximum counted rows of one job: more than it has times in a day, including missed ones. */
const MOST_COUNTED = 200

/** The limit in the file; otherwise enough for a message at each scheduled time. */
export function messagesFor(declared: JobDeclaration | undefined, repeat: JobRepeat): number {
  const tellsNews = declared?.news !== undefined
  return declared?.messages ?? (tellsNews ? MESSAGES_A_DAY : Math.max(MESSAGES_A_DAY, timesADay(repeat)))
}

/** Whether no more may be sent on this day. */
export function isSpent(powers: StoreOf<JobStore>, job: Job, now: number): boolean {
  return job.budget !== null && sentOn(powers, job, now) >= job.budget.messages
}

/** Position of this message and the limit, if this message must announce that; otherwise null. */
export function noticeOf(
  powers: StoreOf<JobStore>,
  job: Job,
  now: number,
): { readonly nth: number; readonly of: number } | null {
  if (job.budget === null || timesADay(job.repeat) <= job.budget.messages) return null
  const nth = sentOn(powers, job, now) + 1
  return nth === Math.ceil(job.budget.messages * NOTICE_AT) ? { nth, of: job.budget.messages } : null
}

/** Texts of this day in the job's zone that were sent, or wait for their chat. */
function sentOn({ store }: StoreOf<JobStore>, { id, zone, budget }: Job, now: number): number {
  const today = dayOf(now, zone)
  return store
    .runsOf(id, MOST_COUNTED)
    .filter(({ delivery }) => delivery === 'sent' || delivery === 'waiting')
    .filter(({ started }) => started >= (budget?.since ?? 0) && dayOf(started, zone) === today).length
}
