/** `jobs.set_chat`: proposes another chat for a job. Sends an approval card; moves nothing itself. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { askedBy, PROPOSED } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const setJobChat = defineOperation({
  name: 'jobs.set_chat',
  place: 'both',
  from: 'open',
  effect: 'widen',
  plannable: true,
  args: { words: rest() },
  result: PROPOSED,
  ports: ['jobs'],
  command: 'jobs chat',
  slash: 'jobchat',
  run: ({ jobs }, { words }, caller) => jobs.proposeChat(caller, words),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('jobs.proposed_chat'), approval, view),
})
