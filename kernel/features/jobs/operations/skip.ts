/** `jobs.skip`: leaves out one time of a job. Called by the table of operations. */
import { changeOfJob } from './change.ts'

export const skipJob = changeOfJob({
  name: 'jobs.skip',
  by: 'skip',
  slash: 'skipjob',
  says: 'jobs.skipped',
  undo: (number) => ({ operation: 'jobs.unskip', args: { words: String(number) } }),
})
