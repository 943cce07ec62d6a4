/** `jobs.resume`: goes on with a job that was stopped, as it was approved. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobWords } from './shape.ts'

export const resumeJob = defineOperation({
  name: 'jobs.resume',
  place: 'home',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  slash: 'resumejob',
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.resume(caller, words)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  undo: ({ result: { number } }) => ({ operation: 'jobs.pause', args: { words: String(number) } }),
  text: (job, view) => view.tell('jobs.resumed', { job: jobWords(job, view) }),
})
