/** `jobs.set_loud`: proposes that a job says something even when there is nothing. Sends an approval card; changes nothing itself. Called by the table of operations. */
import { maybeRest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const setJobLoud = defineOperation({
  name: 'jobs.set_loud',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { words: maybeRest() },
  result: PROPOSED,
  ports: ['jobs'],
  command: 'jobs always',
  slash: 'jobalways',
  run: ({ jobs }, { words }, caller) => jobs.proposeQuiet(caller, words ?? '', false),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_quiet'), approval, view),
})
