/** `hours.show`: the owner's working hours. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { hoursWords } from '../hours.ts'
import { HOURS } from './shape.ts'

export const showHours = defineOperation({
  name: 'hours.show',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: HOURS,
  ports: ['hours'],
  run: async ({ hours }) => ok({ ...hours.read() }),
  text: (hours, { tell }) => tell('hours.are', { hours: hoursWords(hours) }),
})
