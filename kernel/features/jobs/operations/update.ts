/** `jobs.update`: proposes that a job is read by the newer plan of its file. Sends an approval card; changes nothing itself. Called by the table of operations. */
import { maybeRest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const updateJob = defineOperation({
  name: 'jobs.update',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { words: maybeRest() },
  result: PROPOSED,
  ports: ['jobs'],
  slash: 'jobupdate',
  run: ({ jobs }, { words }, caller) => jobs.proposeNewer(caller, words ?? ''),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_newer'), approval, view),
})
