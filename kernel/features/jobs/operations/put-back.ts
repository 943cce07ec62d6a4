/** `jobs.put_back`: the times that a job had before they were changed. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const putJobBack = defineOperation({
  name: 'jobs.put_back',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: JOB,
  ports: ['jobs', 'drive'],
  command: 'jobs back',
  async run({ jobs, drive }, { number }, caller) {
    const done = await jobs.putBack(caller, number)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  undo: ({ result: { number } }) => ({ operation: 'jobs.put_back', args: { number } }),
  text: (job, view) => view.tell('jobs.moved', { job: jobWords(job, view) }),
})
