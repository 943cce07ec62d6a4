/** `copies.make`: a copy of home at the edge, now (E-14). Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'

/** Milliseconds: a whole home goes over the line. */
const WITHIN = 600_000

export const makeCopy = defineOperation({
  name: 'copies.make',
  command: 'copies now',
  summary: 'send a copy of home to the edge, now',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ number: number('internal') }),
  ports: ['copies'],
  awake: true,
  within: WITHIN,
  refusals: {
    tool_unavailable:
      'No copies are made: `pfar status` says why. They take an edge, and a master key with a recovery phrase.',
    storage_full: 'There is no room left at the edge for another copy. The one before it stays.',
    field_too_large: 'Home is too large for a copy at the edge (200 MB). Make backups: `pfar backup init`.',
  },
  run: ({ copies }) => copies(),
  text: ({ number: which }) => `The edge has a copy of home: number ${which}.`,
})
