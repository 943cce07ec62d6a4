/** `jobs.run_now`: runs a job once more, beside its times. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

export const runJobNow = defineOperation({
  name: 'jobs.run_now',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { words: rest() },
  result: JOB,
  ports: ['jobs', 'drive'],
  command: 'runjob',
  slash: 'runjob',
  async run({ jobs, drive }, { words }, caller) {
    const done = await jobs.runNow(caller, words)
    // The timer has to know of it.
    if (done.ok) drive()
    return done
  },
  state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
  text: (job, view) =>
    job.state === 'on'
      ? view.tell('jobs.runs_now', { title: job.title, chat: job.chat })
      : `${view.tell('jobs.stays_stopped')}\n${jobWords(job, view)}`,
})
