/** `bot.withdraw`: home answers in the chat with the edge's bot no more, at once: it widens nothing. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'

export const withdrawBot = defineOperation({
  name: 'bot.withdraw',
  command: 'channel withdraw',
  summary: 'home answers through your bot at the edge no more, at once',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ grant: id('internal') }),
  ports: ['bothLines'],
  slash: 'withdraw',
  run: ({ bothLines }, _, { principal }) => bothLines.withdraw(principal),
  text: () => 'Taken back. From now on home says nothing there; what it said stays in the chat.',
})
