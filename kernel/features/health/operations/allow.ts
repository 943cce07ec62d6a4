/**
 * `health.allow`: proposes that one of the owner's chats at home may show health data. Sends an approval card; allows
 * nothing itself. Called by the table of operations.
 */
import { maybeNamed } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const HEALTH = 'health'

export const allowHealth = defineOperation({
  name: 'health.allow',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { chat: maybeNamed() },
  result: PROPOSED,
  ports: ['compartments'],
  run: ({ compartments }, { chat }, caller) => compartments.allow(caller, chat ?? caller.sink, HEALTH),
  text: proposedWords,
})
