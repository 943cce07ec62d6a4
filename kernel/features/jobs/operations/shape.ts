/** How a job is shown: as data and in words. Pure. Called by the operations on jobs. */
import type { Facts, Telling } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { JOB_REPEATS } from '../../reminders/repeat.ts'
import { JOB_STATES, type JobView, PAGE_STATES, RUN_DELIVERIES, RUN_OUTCOMES } from '../port.ts'
import { jobLine } from '../shown.ts'

export const RUN = record({
  scheduled: number('internal'),
  started: number('internal'),
  ended: maybe(number('internal')),
  tokens: number('internal'),
  outcome: oneOf(RUN_OUTCOMES, 'internal'),
  delivery: oneOf(RUN_DELIVERIES, 'internal'),
  code: maybe(text('internal')),
  page: oneOf(PAGE_STATES, 'internal'),
  pageCode: maybe(text('internal')),
})

export const JOB_FIELDS = {
  number: number('internal'),
  title: text('sensitive'),
  state: oneOf(JOB_STATES, 'internal'),
  why: maybe(oneOf(['owner', 'failures', 'budget', 'widened', 'done'], 'internal')),
  repeat: oneOf(JOB_REPEATS, 'internal'),
  every: number('internal'),
  times: list(number('internal')),
  first: text('internal'),
  cron: maybe(text('internal')),
  ends: maybe(text('internal')),
  zone: text('internal'),
  due: maybe(number('internal')),
  skips: maybe(text('internal')),
  chat: text('internal'),
  page: maybe(text('internal')),
  off: maybe(text('internal')),
  last: maybe(RUN),
} as const

export const JOB = record(JOB_FIELDS)

export function jobWords(job: ValueOf<typeof JOB>, { now }: Telling): string {
  return jobLine(job as JobView, now)
}

/** Of each job what an operation may change, for the audit row: never its words. */
export function jobFacts(jobs: readonly JobView[]): Facts {
  return Object.fromEntries(
    jobs.map(({ number, state, repeat, every, times, first, cron, ends, zone, skips, chat, page }) => [
      `job_${number}`,
      [state, repeat, every, ...times, first, cron, ends, zone, skips, chat, page]
        .filter((part) => part !== null)
        .join(' '),
    ]),
  )
}
