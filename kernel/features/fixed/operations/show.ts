/**
 * `fixed.show`: lists what no chat can change, each with its reason (L-19). Answers requests for such a change; changes nothing.
 * Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, oneOf, record } from '../../../operations/shape.ts'

const FIXED = Object.freeze(['key', 'classes', 'labels', 'network', 'policy'] as const)

export const showFixed = defineOperation({
  name: 'fixed.show',
  command: 'fixed',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({ fixed: list(oneOf(FIXED, 'public')) }),
  ports: [],
  run: async () => ok({ fixed: [...FIXED] }),
  text: ({ fixed }, { tell }) =>
    [tell('fixed.intro'), ...fixed.map((one) => tell(`fixed.${one}`))].join('\n'),
})
