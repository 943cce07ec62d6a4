/**
 * `tools.remove`: proposes to delete the credential of a connected service (L-07). Sends an approval card; deletes nothing
 * itself. Called by the table of operations.
 */
import { rest } from '../../../operations/argument.ts'
import { askedBy } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'
import { SERVICE_FIELDS } from './shape.ts'

export const removeTool = defineOperation({
  name: 'tools.remove',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: { which: rest() },
  result: record({ ...SERVICE_FIELDS, approval: id('internal') }),
  ports: ['toolSwitch'],
  run: async ({ toolSwitch }, { which }, caller) => toolSwitch.remove(caller, which),
  text: ({ approval }, view) =>
    view.cardBeside ? '' : askedBy(view.tell('tools.not_deleted'), approval, view),
})
