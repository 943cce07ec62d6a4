/** `health.withdraw`: stops a chat from showing health data, at once. Called by the table of operations. */
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
  // Undoing asks by the card again: showing more private data needs an approval.
  undo: ({ args: { chat } }) => ({ operation: 'health.allow', args: chat === null ? {} : { chat } }),
  text: (_, { tell }) => tell('health.withdrawn'),
})
