/** `copies.make`: copies home to the edge now (E-14). Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'

/** Milliseconds: the whole of home is transferred. */
const WITHIN = 600_000

export const makeCopy = defineOperation({
  name: 'copies.make',
  command: 'copies now',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ number: number('internal') }),
  ports: ['copies'],
  awake: true,
  within: WITHIN,
  run: ({ copies }) => copies(),
  text: ({ number: which }, { tell }) => tell('places.copied', { number: which }),
})
