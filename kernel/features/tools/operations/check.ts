/** `tools.check`: tests a connected service by one harmless call (L-02). Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, maybe, record, text } from '../../../operations/shape.ts'
import { SERVICE_FIELDS } from './shape.ts'

export const checkTool = defineOperation({
  name: 'tools.check',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: { which: rest() },
  result: record({ ...SERVICE_FIELDS, works: maybe(flag('sensitive')), says: text('sensitive') }),
  ports: ['toolSwitch'],
  within: 60_000,
  run: async ({ toolSwitch }, { which }) => toolSwitch.check(which),
  text: ({ says }) => says,
  fails: ({ works }) => works === false,
})
