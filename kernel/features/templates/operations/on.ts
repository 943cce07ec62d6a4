/**
 * `templates.on`: proposes to answer a kind of request again that was switched off (L-03). Sends an approval card; switches
 * nothing on itself. Called by the table of operations.
 */
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
