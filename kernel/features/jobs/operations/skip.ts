/** `jobs.skip`: leaves out one time of a job. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobWords } from './shape.ts'

export const skipJob = defineOperation({
  name: 'jobs.skip',
  place: 'home',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  slash: 'skipjob',
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.skip(caller, words)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  undo: ({ result: { number } }) => ({ operation: 'jobs.unskip', args: { words: String(number) } }),
  text: (job, view) => view.tell('jobs.skipped', { job: jobWords(job, view) }),
})
