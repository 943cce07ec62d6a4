/** `jobs.unskip`: takes back that one time is left out. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const unskipJob = defineOperation({
  name: 'jobs.unskip',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.unskip(caller, words)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  text: (job, view) => view.tell('jobs.unskipped', { job: jobWords(job, view) }),
})
