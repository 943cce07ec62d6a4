/** `memory.correct`: replaces a fact by the owner's own text (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, elsewhere } from './shape.ts'

export const correctMemory = defineOperation({
  name: 'memory.correct',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: word(), text: rest() },
  result: ENTRY,
  ports: ['memory'],
  slash: 'correct',
  async run({ memory }, { which, text }, caller) {
    const found = await memory.find(caller, which)
    const done = found.ok ? await memory.correct(caller, found.value.id, text) : found
    return done.ok && found.ok ? ok(found.value) : done.ok ? found : done
  },
  text: (kept, view) => [view.tell('memory.corrected'), ...elsewhere(kept, view)].join('\n'),
})
