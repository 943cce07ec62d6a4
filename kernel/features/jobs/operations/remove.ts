/** `jobs.remove`: removes a job. Called by the table of operations. */
import { changeOfJob } from './change.ts'

export const removeJob = changeOfJob({
  name: 'jobs.remove',
  by: 'remove',
  slash: 'removejob',
  says: 'jobs.removed',
  undo: (number) => ({ operation: 'jobs.restore', args: { number } }),
})
