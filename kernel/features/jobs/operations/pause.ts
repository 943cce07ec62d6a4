/** `jobs.pause`: stops a job until it is resumed. Called by the table of operations. */
import { changeOfJob } from './change.ts'

export const pauseJob = changeOfJob({
  name: 'jobs.pause',
  by: 'pause',
  slash: 'stopjob',
  says: 'jobs.paused',
  undo: (number) => ({ operation: 'jobs.resume', args: { words: String(number) } }),
})
