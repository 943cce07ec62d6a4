/** `jobs.remove`: removes a job. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobWords } from './shape.ts'

export const removeJob = defineOperation({
  name: 'jobs.remove',
  place: 'home',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  slash: 'removejob',
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.remove(caller, words)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  undo: ({ result: { number } }) => ({ operation: 'jobs.restore', args: { number } }),
  text: (job, view) => view.tell('jobs.removed', { job: jobWords(job, view) }),
})
