/** `templates.on`: proposes that a kind of request that was switched off is answered again (L-03). Puts a card; switches nothing on itself. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const switchTemplateOn = defineOperation({
  name: 'templates.on',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { which: rest() },
  result: PROPOSED,
  ports: ['templateSwitch'],
  run: ({ templateSwitch }, { which }, caller) => templateSwitch.on(caller, which),
  text: proposedWords,
})
