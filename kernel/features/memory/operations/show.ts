/** `memory.show`: one entry, by its id or number (E-20). Called by the table of operations. */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const showMemory = defineOperation({
  name: 'memory.show',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: { which: word() },
  result: ENTRY,
  ports: ['memory'],
  run: ({ memory }, { which }, caller) => memory.find(caller, which),
  text: entryWords,
})
