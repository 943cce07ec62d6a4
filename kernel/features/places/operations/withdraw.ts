/**
 * `bot.withdraw`: home stops answering in the chat with the edge's bot, at once, because that widens nothing. Called
 * by the table of operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'

export const withdrawBot = defineOperation({
  name: 'bot.withdraw',
  command: 'channel withdraw',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ grant: id('internal') }),
  ports: ['bothLines'],
  slash: 'withdraw',
  run: ({ bothLines }, _, { principal }) => bothLines.withdraw(principal),
  undo: () => ({ operation: 'bot.acknowledge', args: {} }),
  text: (_, { tell }) => tell('places.withdrawn'),
})
