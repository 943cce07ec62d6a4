/** `jobs.restore`: takes back the removal of a job, which runs again as it was approved. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const restoreJob = defineOperation({
  name: 'jobs.restore',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: JOB,
  ports: ['jobs', 'drive'],
  async run({ jobs, drive }, { number }, caller) {
    const done = await jobs.restore(caller, number)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  undo: ({ result: { number } }) => ({ operation: 'jobs.remove', args: { words: String(number) } }),
  text: (job, view) =>
    view.tell(job.state === 'on' ? 'jobs.resumed' : 'jobs.paused', { job: jobWords(job, view) }),
})
