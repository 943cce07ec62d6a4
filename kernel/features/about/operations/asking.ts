/** `about.asking`: who may ask PFAR for what, in fixed words; opens nothing and changes nothing. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'

export const aboutAsking = defineOperation({
  name: 'about.asking',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({}),
  ports: [],
  run: async () => ok({}),
  text: (_, { tell }) => tell('about.asking'),
})
