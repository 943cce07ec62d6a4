/** `memory.undo`: restores what was forgotten in the last ten minutes (E-20). Called by the table of operations. */
import { maybeCount } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const undoForgetting = defineOperation({
  name: 'memory.undo',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: maybeCount() },
  result: ENTRY,
  ports: ['memory'],
  slash: 'unforget',
  run: ({ memory }, { number }, caller) => memory.undo(caller, number),
  /** What the number names before the call; after a correction, the corrected fact. */
  async state({ memory }, { number }, caller): Promise<{ readonly present?: string }> {
    const found = number === null ? null : await memory.find(caller, String(number))
    return found?.ok === true ? { present: found.value.id } : {}
  },
  undo: ({ result: { id, number }, before }) =>
    before['present'] === undefined
      ? { operation: 'memory.forget', args: { which: id } }
      : { operation: 'memory.undo', args: { number } },
  text: (kept, view) => view.tell('memory.back', { entry: entryWords(kept, view) }),
})
