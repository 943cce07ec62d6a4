/** `memory.list`: saved facts, then results of earlier answers, in pages (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { maybeCount } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, pageWords } from './shape.ts'

export const listMemory = defineOperation({
  name: 'memory.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: { page: maybeCount() },
  result: list(ENTRY),
  ports: ['memory'],
  slash: 'memory',
  run: async ({ memory }, _, caller) => ok(await memory.list(caller)),
  text: (kept, view, { page }) => pageWords(kept, page ?? 1, view),
})
