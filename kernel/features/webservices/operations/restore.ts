/**
 * `webservices.restore`: proposes a former host or request again, as the undo of a change. Sends an approval card, like adding
 * it. Called by the table of operations.
 */
import { word } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const restoreWebservice = defineOperation({
  name: 'webservices.restore',
  place: 'home',
  effect: 'widen',
  args: { id: word() },
  result: PROPOSED,
  ports: ['webservices'],
  run: ({ webservices }, { id }, caller) => webservices.restore(caller, id),
  text: proposedWords,
})
