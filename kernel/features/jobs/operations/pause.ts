/** `jobs.pause`: stops a job until it is resumed. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobWords } from './shape.ts'

export const pauseJob = defineOperation({
  name: 'jobs.pause',
  place: 'home',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  slash: 'stopjob',
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.pause(caller, words)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  undo: ({ result: { number } }) => ({ operation: 'jobs.resume', args: { words: String(number) } }),
  text: (job, view) => view.tell('jobs.paused', { job: jobWords(job, view) }),
})
