/** `jobs.pause_all`: stops everything that runs by itself. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const pauseAllJobs = defineOperation({
  name: 'jobs.pause_all',
  place: 'both',
  from: 'open',
  effect: 'write',
  plannable: true,
  released: true,
  args: {},
  result: list(JOB),
  ports: ['jobs', 'drive'],
  command: 'stopjobs',
  slash: 'stopjobs',
  async run({ jobs, drive }, _, caller) {
    const done = await jobs.pauseAll(caller)
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  undo: ({ result }) => ({
    operation: 'jobs.resume_all',
    args: { which: result.map(({ number }) => number).join(',') },
  }),
  text: (stopped, view) =>
    stopped.length === 0
      ? view.tell('jobs.none')
      : stopped.map((job) => view.tell('jobs.paused', { job: jobWords(job, view) })).join('\n'),
})
