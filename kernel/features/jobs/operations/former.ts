/** `jobs.former`: the plan that a job had before its newer form was taken, as it was approved then. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const formerJob = defineOperation({
  name: 'jobs.former',
  place: 'home',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: JOB,
  ports: ['jobs'],
  run: ({ jobs }, { number }, caller) => jobs.takeFormer(caller, number),
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  // Judged by that operation: it puts a card.
  undo: ({ result: { number } }) => ({ operation: 'jobs.update', args: { words: String(number) } }),
  text: (job, view) => view.tell('jobs.as_before', { job: jobWords(job, view) }),
})
