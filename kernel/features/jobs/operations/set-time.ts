/** `jobs.set_time`: moves a job to another time of day. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { JOB_FIELDS, jobWords } from './shape.ts'

export const setJobTime = defineOperation({
  name: 'jobs.set_time',
  place: 'home',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: record({ ...JOB_FIELDS, before: text('internal') }),
  ports: ['jobs', 'drive'],
  command: 'jobs time',
  slash: 'jobtime',
  async run({ jobs, drive }, { words }, caller) {
    const moved = await jobs.setTime(caller, words)
    // The timer has to know of the new time.
    if (moved.ok) drive()
    return moved
  },
  undo: ({ result: { number, before } }) => ({
    operation: 'jobs.set_time',
    args: { words: `job ${number} at ${before}` },
  }),
  text: (job, view) => view.tell('jobs.moved', { job: jobWords(job, view) }),
})
