/** `memory.list`: what the owner asked to remember, and what earlier answers left (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { KEEPSAKE, keptWords } from './shape.ts'

export const listMemory = defineOperation({
  name: 'memory.list',
  summary: 'what you asked to remember, and what earlier answers left',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: list(KEEPSAKE),
  ports: ['memory'],
  slash: 'memory',
  phrases: ['what have you stored about me', 'what do you remember of me'],
  run: async ({ memory }, _, caller) => ok(await memory.list(caller)),
  text: (kept, view) =>
    kept.length === 0
      ? 'Nothing is remembered. Say "remember that …" to change that.'
      : kept.map((one) => keptWords(one, view)).join('\n'),
})
