/** `jobs.drop_page`: has a job write to its page no more, and revokes what was granted for it. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const dropJobPage = defineOperation({
  name: 'jobs.drop_page',
  place: 'home',
  effect: 'write',
  plannable: true,
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs'],
  command: 'jobs nopage',
  slash: 'nojobpage',
  run: ({ jobs }, { words }, caller) => jobs.dropPage(caller, words),
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  text: (job, view) => view.tell('jobs.page_dropped', { job: jobWords(job, view) }),
})
