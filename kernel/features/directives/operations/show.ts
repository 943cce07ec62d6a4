/** `brain.show`: the current or an earlier text of a directive file (O-09). Called by the table of operations. */
import { maybeOption, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { VERSION } from './shape.ts'

export const showDirective = defineOperation({
  name: 'brain.show',
  place: 'home',
  effect: 'read',
  released: true,
  args: {
    name: word(),
    version: maybeOption('count'),
  },
  result: VERSION,
  ports: ['directives'],
  run: ({ directives }, { name, version }, caller) => directives.show(caller, name, version),
  text: ({ text }) => text.trimEnd(),
})
