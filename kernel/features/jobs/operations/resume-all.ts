/** `jobs.resume_all`: goes on with jobs that were stopped together. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const resumeAllJobs = defineOperation({
  name: 'jobs.resume_all',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: rest() },
  result: list(JOB),
  ports: ['jobs', 'drive'],
  command: 'resumejobs',
  async run({ jobs, drive }, { which }, caller) {
    const done = await jobs.resumeAll(caller, which.split(',').map(Number))
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  undo: () => ({ operation: 'jobs.pause_all', args: {} }),
  text: (resumed, view) =>
    resumed.map((job) => view.tell('jobs.resumed', { job: jobWords(job, view) })).join('\n'),
})
