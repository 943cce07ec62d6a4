/**
 * `approvals.leave`: removes rows from a card; the remaining rows are asked about again (DESIGN §10). In a chat, "all but 2" does
 * the same. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { isNamed } from './shape.ts'

export const leaveRows = defineOperation({
  name: 'approvals.leave',
  place: 'both',
  from: 'open',
  effect: 'write',
  args: { which: word(), rows: rest() },
  result: record({ card: text('internal'), task: text('internal') }),
  ports: ['approvals', 'decisions'],
  follows: true,
  async run({ approvals, decisions }, { which, rows }, { principal, place }) {
    const waiting = await approvals.list(principal)
    const approval = waiting.find((one) => isNamed(one, which))?.id ?? which
    const left = await decisions.leaveOut({ approval, rows, principal, place })
    return left.ok ? ok({ card: approval, task: left.value.task }) : left
  },
  text: () => '',
})
