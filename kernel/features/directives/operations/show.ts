/** `brain.show`: a directive file as it is, or as it was (O-09). Called by the table of operations. */
import { maybeOption, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { REFUSALS } from './refusals.ts'
import { VERSION } from './shape.ts'

export const showDirective = defineOperation({
  name: 'brain.show',
  summary: 'print a directive file',
  place: 'home',
  effect: 'read',
  released: true,
  args: {
    name: word('such as SOUL'),
    version: maybeOption('count', 'an earlier version', { takes: 'number' }),
  },
  result: VERSION,
  ports: ['directives'],
  refusals: REFUSALS,
  run: ({ directives }, { name, version }, caller) => directives.show(caller, name, version),
  text: ({ text }) => text.trimEnd(),
})
