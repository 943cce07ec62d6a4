/** `clock.show`: the day and the time where the owner is; it reads no calendar. Called by the table of operations. */
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
  // The clock of whoever shows it: a moment that was read before the answer may be another minute.
  text: (_, { tell, now, timezone }) =>
    tell('clock.is', { moment: namedMoment(now, timezone, now), zone: timezone }),
})
