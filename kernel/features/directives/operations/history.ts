/** `brain.history`: the versions of a directive file that can be restored (O-12). Called by the table of operations. */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { VERSION, versionsWords } from './shape.ts'

export const directiveHistory = defineOperation({
  name: 'brain.history',
  place: 'home',
  effect: 'read',
  released: true,
  args: { name: word() },
  result: list(VERSION),
  ports: ['directives'],
  run: ({ directives }, { name }, caller) => directives.history(caller, name),
  text: versionsWords,
})
