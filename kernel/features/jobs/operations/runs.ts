/** `jobs.runs`: what became of the last times of a job. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record } from '../../../operations/shape.ts'
import { runDetail } from '../shown.ts'
import { JOB_FIELDS, jobWords, RUN } from './shape.ts'

export const showJobRuns = defineOperation({
  name: 'jobs.runs',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: { words: { ...rest(), initial: 'job' } },
  result: record({ ...JOB_FIELDS, runs: list(RUN) }),
  ports: ['jobs'],
  slash: 'jobruns',
  run: ({ jobs }, { words }, caller) => jobs.runs(caller, words),
  text: ({ runs, ...job }, view) =>
    [
      ...(job.state === 'paused' && runs.length > 0 ? [view.tell('jobs.stays_stopped')] : []),
      jobWords({ ...job, last: null }, view),
      ...(runs.length === 0
        ? [view.tell(job.state === 'paused' ? 'jobs.stays_stopped' : 'jobs.no_runs')]
        : runs.map((run) => `- ${runDetail(run, job.zone, view.now)}`)),
    ].join('\n'),
})
