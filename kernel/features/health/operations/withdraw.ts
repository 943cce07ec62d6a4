/** `health.withdraw`: a chat shows no health data any more, at once. Called by the table of operations. */
import { maybeNamed } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'
import { HEALTH } from './allow.ts'

export const withdrawHealth = defineOperation({
  name: 'health.withdraw',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { chat: maybeNamed() },
  result: record({ grant: id('internal') }),
  ports: ['compartments'],
  run: async ({ compartments }, { chat }, { principal, sink }) =>
    compartments.withdraw(principal, chat ?? sink, HEALTH),
  state: async ({ compartments }) => ({ chats: compartments.chats(HEALTH).length }),
  // Asked again as at first: what shows more of what is private needs a yes.
  undo: ({ args: { chat } }) => ({ operation: 'health.allow', args: chat === null ? {} : { chat } }),
  text: (_, { tell }) => tell('health.withdrawn'),
})
