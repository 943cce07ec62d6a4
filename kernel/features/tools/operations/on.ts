/**
 * `tools.on`: proposes to use a service again that was switched off (L-02). Sends an approval card; switches nothing on itself.
 * Called by the table of operations.
 */
import { rest } from '../../../operations/argument.ts'
import { proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'
import { SERVICE_FIELDS } from './shape.ts'

export const switchToolOn = defineOperation({
  name: 'tools.on',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { which: rest() },
  result: record({ ...SERVICE_FIELDS, approval: id('internal') }),
  ports: ['toolSwitch'],
  run: async ({ toolSwitch }, { which }, caller) => toolSwitch.on(caller, which),
  text: proposedWords,
})
