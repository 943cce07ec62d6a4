/** `templates.withdraw`: makes every write of a template ask again, at once. Called by the table of operations. */
import { maybeNamed } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'

export const withdrawUnasked = defineOperation({
  name: 'templates.withdraw',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { template: maybeNamed() },
  result: record({ grant: id('internal') }),
  ports: ['unasked'],
  run: ({ unasked }, { template }, { principal }) => unasked.withdraw(principal, template),
  text: (_, { tell }) => tell('templates.withdrawn'),
})
