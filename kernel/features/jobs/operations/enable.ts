/** `jobs.enable`: proposes a job. Sends an approval card; turns nothing on itself. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const enableJob = defineOperation({
  name: 'jobs.enable',
  place: 'both',
  from: 'open',
  effect: 'widen',
  args: { words: rest() },
  result: PROPOSED,
  ports: ['jobs'],
  command: 'job',
  slash: 'job',
  run: ({ jobs }, { words }, caller) => jobs.propose(caller, words),
  text: ({ approval }, view) => (view.cardBeside ? '' : askedBy(view.tell('jobs.proposed'), approval, view)),
})
