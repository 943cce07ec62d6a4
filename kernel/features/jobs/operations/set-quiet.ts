/** `jobs.set_quiet`: proposes that a job comes only when there is something. Sends an approval card; changes nothing itself. Called by the table of operations. */
import { maybeRest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const setJobQuiet = defineOperation({
  name: 'jobs.set_quiet',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { words: maybeRest() },
  result: PROPOSED,
  ports: ['jobs'],
  command: 'jobs quiet',
  slash: 'jobquiet',
  run: ({ jobs }, { words }, caller) => jobs.proposeQuiet(caller, words ?? '', true),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_quiet'), approval, view),
})
