/**
 * `templates.allow`: proposes that tasks of one template may write typed values without a card. Sends an approval card;
 * allows nothing itself. Called by the table of operations.
 */
import { maybeNamed } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const allowUnasked = defineOperation({
  name: 'templates.allow',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { template: maybeNamed() },
  result: PROPOSED,
  ports: ['unasked'],
  run: ({ unasked }, { template }, caller) => unasked.allow(caller, template),
  text: proposedWords,
})
