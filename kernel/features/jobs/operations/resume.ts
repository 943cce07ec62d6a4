/** `jobs.resume`: goes on with a job that was stopped, as it was approved. Called by the table of operations. */
import { changeOfJob } from './change.ts'

export const resumeJob = changeOfJob({
  name: 'jobs.resume',
  by: 'resume',
  slash: 'resumejob',
  says: 'jobs.resumed',
  undo: (number) => ({ operation: 'jobs.pause', args: { words: String(number) } }),
})
