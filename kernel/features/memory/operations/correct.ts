/** `memory.correct`: replaces a fact by the owner's own text (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { CORRECTED, correctedWords } from './shape.ts'

export const correctMemory = defineOperation({
  name: 'memory.correct',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: word(), text: rest() },
  result: CORRECTED,
  ports: ['memory', 'drive'],
  slash: 'correct',
  async run({ memory, drive }, { which, text }, caller) {
    const found = await memory.find(caller, which)
    if (!found.ok) return found
    const done = await memory.correct(caller, found.value.id, text)
    if (!done.ok) return done
    // Lets the scheduler pick up the end of the undo window.
    drive()
    return ok({ ...found.value, text, before: found.value.text })
  },
  undo: ({ result: { number } }) => ({ operation: 'memory.undo', args: { number } }),
  text: correctedWords,
})
