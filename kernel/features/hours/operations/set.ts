/** `hours.set`: sets the hours within which meetings with the owner may be proposed. Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { clockTime, HOURS_TYPED, hoursIn, hoursWords } from '../hours.ts'
import { HOURS } from './shape.ts'

export const setHours = defineOperation({
  name: 'hours.set',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { hours: { ...rest(), slot: HOURS_TYPED } },
  result: HOURS,
  ports: ['hours'],
  async run({ hours: kept }, { hours: typed }) {
    const hours = hoursIn(typed)
    if (hours === null) return err('tool_arguments_invalid', { path: 'hours' })
    kept.set(hours)
    return ok({ ...hours })
  },
  state: async ({ hours }) => ({ ...hours.read() }),
  undo: ({ before }) => ({
    operation: 'hours.set',
    args: { hours: [before['from'], before['to']].map((at) => clockTime(Number(at))).join('-') },
  }),
  text: (hours, { tell }) => tell('hours.changed', { hours: hoursWords(hours) }),
})
