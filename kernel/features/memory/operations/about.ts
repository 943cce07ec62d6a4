/** `memory.about`: saved facts with some words, best first, in pages (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { maybeOption, rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, pageWords } from './shape.ts'

export const memoryAbout = defineOperation({
  name: 'memory.about',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: { which: rest(), page: maybeOption('count') },
  result: list(ENTRY),
  ports: ['memory'],
  run: async ({ memory }, { which }, caller) => ok(await memory.about(caller, which)),
  text: (kept, view, { page }) => pageWords(kept, page ?? 1, view),
})
