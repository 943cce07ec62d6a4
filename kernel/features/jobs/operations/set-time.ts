/** `jobs.set_time`: gives a job other times; if it would come more often, sends an approval card instead. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { askedBy } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, maybe, record } from '../../../operations/shape.ts'
import { JOB_FIELDS, jobFacts, jobWords } from './shape.ts'

export const setJobTime = defineOperation({
  name: 'jobs.set_time',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: record({ ...JOB_FIELDS, approval: maybe(id('internal')) }),
  ports: ['jobs', 'drive'],
  command: 'jobs time',
  slash: 'jobtime',
  async run({ jobs, drive }, { words }, caller) {
    const moved = await jobs.setTime(caller, words)
    // The timer has to know of the new time.
    if (moved.ok) drive()
    return moved
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  undo: ({ result: { number, approval } }) =>
    approval === null ? { operation: 'jobs.put_back', args: { number } } : null,
  text({ approval, ...job }, view) {
    if (approval === null) return view.tell('jobs.moved', { job: jobWords(job, view) })
    return view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_times'), approval, view)
  },
})
