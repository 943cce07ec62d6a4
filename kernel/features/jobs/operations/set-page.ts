/** `jobs.set_page`: proposes a page that a job writes to as well. Sends an approval card; widens nothing itself. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const setJobPage = defineOperation({
  name: 'jobs.set_page',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { words: rest() },
  result: PROPOSED,
  ports: ['jobs'],
  command: 'jobs page',
  slash: 'jobpage',
  run: ({ jobs }, { words }, caller) => jobs.proposePage(caller, words),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_page'), approval, view),
})
