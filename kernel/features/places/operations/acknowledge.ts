/** `bot.acknowledge`: home may answer in the owner's chat with the edge's bot, too (DESIGN §1). It puts a card, and allows nothing. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { PROPOSED, proposedWords } from '../../../operations/proposed.ts'

export const acknowledgeBot = defineOperation({
  name: 'bot.acknowledge',
  command: 'channel acknowledge',
  summary: 'let home answer you through your bot at the edge, too; needs your yes to its card',
  place: 'home',
  effect: 'widen',
  args: {},
  result: PROPOSED,
  ports: ['bothLines'],
  slash: 'acknowledge',
  refusals: {
    sink_unknown:
      'Your edge has no bot yet, so there is no chat to agree to. `pfar channel connect` gives it one; then say this again.',
  },
  run: ({ bothLines }, _, caller) => bothLines.acknowledge(caller),
  text: proposedWords,
})
