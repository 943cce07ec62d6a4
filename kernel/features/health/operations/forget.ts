/**
 * `health.forget`: deletes the owner's health data. The exported file still has it, so it can be imported again. Called by the
 * table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'

export const forgetHealth = defineOperation({
  name: 'health.forget',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ months: number('internal') }),
  ports: ['health'],
  confirms: 'health.show',
  async run({ health }) {
    const months = health.forget()
    return months === 0 ? err('health_none') : ok({ months })
  },
  text: ({ months }, { tell }) => tell('health.forgotten', { months }),
})
