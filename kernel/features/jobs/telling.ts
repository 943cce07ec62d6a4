/**
 * What a run of a job says beside its results: nothing at all when no result has an item, and its title, or that it is late. The counts are
 * taken here, never by a model (DESIGN §9). Called by synthesize.ts.
 */
import type { Json } from '../../flow/json.ts'
import { type Labeled, test } from '../../flow/labeled.ts'
import { RECORD } from '../../model-call/task-record.ts'
import type { OwnerFacts, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { jobOfPrincipal } from './frozen.ts'
import { JOB_LATE_AFTER, type Job, type JobRun, type JobStore } from './port.ts'

export interface RunningJob {
  readonly job: Job
  readonly run: JobRun
}

export function runningJob({ store }: StoreOf<JobStore>, { id, principal }: Task): RunningJob | null {
  const job = jobOfPrincipal(store, principal)
  const run = store.runOfTask(id)
  return job === null || run === null ? null : { job, run }
}

/** True when every result was read, and none of their lists has an item. */
export function isQuiet(
  { job }: RunningJob,
  view: {
    readonly contents: readonly { readonly action: string; readonly content: Labeled }[]
    readonly troubles: readonly unknown[]
  },
): boolean {
  const results = view.contents.filter(({ action }) => action !== RECORD)
  if (!job.quiet || view.troubles.length > 0 || results.length === 0) return false
  return results.every(({ content }) => test(content, isEmpty))
}

/** A result that lists nothing. One without a list says something by itself. */
function isEmpty(content: Json): boolean {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return false
  const lists = Object.values(content).filter(Array.isArray)
  return lists.length > 0 && lists.every((list) => list.length === 0)
}

/** The line before the results. */
export function headOf(powers: OwnerFacts & Templates, { job, run }: RunningJob): readonly string[] {
  const title = powers.templates.find(({ id }) => id === job.template)?.job?.title ?? null
  const { scheduled, started } = run
  if (started - scheduled <= JOB_LATE_AFTER) return title === null ? [] : [title]
  const when = namedMoment(scheduled, job.zone, started)
  return [tell('jobs.late', { title: title ?? tell('jobs.own'), when })]
}
