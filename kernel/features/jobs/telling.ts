/**
 * Text of a run besides its results: nothing if no result has an item, its title, and whether it is late.
 * Code counts the items, never a model (DESIGN §9). Called by synthesize.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { RECORD } from '../../model-call/task-record.ts'
import type { Clock, OwnerFacts, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { noticeOf } from './budget.ts'
import { jobOfPrincipal } from './frozen.ts'
import { listsNothing, newsOf } from './news.ts'
import { JOB_LATE_AFTER, type Job, type JobRun, type JobStore } from './port.ts'
import { reasonOf, retryAt } from './retry.ts'
import { isOften } from './schedule.ts'
import { shippedWords } from './shipped-words.ts'

export interface RunningJob {
  readonly job: Job
  readonly run: JobRun
}

export function runningJob({ store }: StoreOf<JobStore>, { id, principal }: Task): RunningJob | null {
  const job = jobOfPrincipal(store, principal)
  const run = job === null ? null : store.runOfTask(id)
  return job === null || run === null ? null : { job, run }
}

interface Reading {
  readonly contents: readonly { readonly action: string; readonly content: Labeled }[]
  readonly troubles: readonly unknown[]
}

interface Told {
  readonly run: RunningJob
  readonly task: Task
  readonly read: Reading
  /** What of it is new. */
  readonly told: Reading
}

/**
 * Nothing is sent when every result was read and none has an item to tell; when a failed run is tried again;
 * and when a job that comes several times a day would only repeat what went wrong the last time as well.
 */
export function isWithheld(
  powers: Clock & Templates & StoreOf<JobStore>,
  { run: running, task, read, told }: Told,
): boolean {
  const { job, run } = running
  const isRead = resultsOf(read).length > 0
  const news = newsOf(powers, job).map(({ tool }) => tool)
  const says = resultsOf(told).some(
    ({ action, content }) => news.includes(action) || !test(content, listsNothing),
  )
  if (read.troubles.length === 0) return job.quiet && isRead && !says
  const code = reasonOf(task)
  if (!isRead && retryAt(job, { attempt: run.attempt, code }, powers.now()) !== null) return true
  return !says && isOften(job.repeat) && code !== null && code === codeBefore(powers, running)
}

function resultsOf({ contents }: Reading): Reading['contents'] {
  return contents.filter(({ action }) => action !== RECORD)
}

/** Why the last time failed, wholly or in part. */
function codeBefore({ store }: StoreOf<JobStore>, { job, run }: RunningJob): string | null {
  const before = store
    .runsOf(job.id, LOOKED_BACK)
    .find(
      ({ scheduled, outcome }) => scheduled < run.scheduled && outcome !== 'missed' && outcome !== 'skipped',
    )
  return before?.code ?? null
}

/** Runs among which the last one that was made is looked for. */
const LOOKED_BACK = 10

/** Text before the results. */
export function headOf(
  powers: OwnerFacts & Clock & Templates & StoreOf<JobStore>,
  running: RunningJob,
): readonly string[] {
  const notice = noticeOf(powers, running.job, powers.now())
  return [...titleLine(powers, running), ...(notice === null ? [] : [tell('jobs.budget_notice', notice)])]
}

function titleLine(powers: Templates, { job, run }: RunningJob): readonly string[] {
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  const title = shipped === undefined ? null : shippedWords(shipped).title
  const { scheduled, started } = run
  if (started - scheduled <= JOB_LATE_AFTER) return title === null ? [] : [title]
  const when = namedMoment(scheduled, job.zone, started)
  return [tell('jobs.late', { title: title ?? tell('jobs.own'), when })]
}
