/** `memory.undo`: brings back what was forgotten in the last ten minutes (E-20). Called by the table of operations. */
import { maybeCount } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { KEEPSAKE, keptWords } from './shape.ts'

export const undoForgetting = defineOperation({
  name: 'memory.undo',
  summary: 'bring back what was forgotten in the last ten minutes',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: maybeCount('the last one if left out') },
  result: KEEPSAKE,
  ports: ['memory'],
  slash: 'unforget',
  refusals: {
    memory_gone: 'There is nothing to bring back: a forgotten entry is gone after ten minutes.',
  },
  run: ({ memory }, { number }, caller) => memory.undo(caller, number),
  text: (kept, view) => `Remembered again:\n${keptWords(kept, view)}`,
})
