/**
 * `bot.acknowledge`: proposes that home also answers in the owner's chat with the edge's bot (DESIGN §1). Puts a
 * card; allows nothing itself. Called by the table of operations.
 */

import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const acknowledgeBot = defineOperation({
  name: 'bot.acknowledge',
  command: 'channel acknowledge',
  place: 'home',
  effect: 'widen',
  args: {},
  result: PROPOSED,
  ports: ['bothLines'],
  slash: 'acknowledge',
  run: ({ bothLines }, _, caller) => bothLines.acknowledge(caller),
  text: proposedWords,
})
