/** `memory.list`: saved facts, and results of earlier answers (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, keptWords } from './shape.ts'

export const listMemory = defineOperation({
  name: 'memory.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: list(ENTRY),
  ports: ['memory'],
  slash: 'memory',
  run: async ({ memory }, _, caller) => ok(await memory.list(caller)),
  text: (kept, view) =>
    kept.length === 0 ? view.tell('memory.none') : kept.map((one) => keptWords(one, view)).join('\n'),
})
