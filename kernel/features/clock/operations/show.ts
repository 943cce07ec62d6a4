/** `clock.show`: shows the date and time where the owner is; reads no calendar. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'

export const showClock = defineOperation({
  name: 'clock.show',
  command: 'time',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: {},
  result: record({}),
  ports: [],
  run: async () => ok({}),
  // Uses the time at which the text is made: a time read before that could be a minute off.
  text: (_, { tell, now, timezone }) =>
    tell('clock.is', { moment: namedMoment(now, timezone, now), zone: timezone }),
})
