/** `approvals.show`: the full text of one card, or how it ended (F-04). Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, record, text } from '../../../operations/shape.ts'
import { isNamed } from './shape.ts'

export const showApproval = defineOperation({
  name: 'approvals.show',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: { which: word() },
  result: record({ text: text('sensitive'), over: flag('internal') }),
  ports: ['approvals'],
  async run({ approvals }, { which }, { principal }) {
    const waiting = await approvals.list(principal)
    const view = waiting.find((one) => isNamed(one, which))
    if (view !== undefined) return ok({ text: view.full, over: false })
    const ended = await approvals.standing(principal, which)
    if (!ended.ok) return ended
    return ended.value.isOver ? ok({ text: ended.value.words, over: true }) : err('approval_unknown')
  },
  text: ({ text: whole }) => whole.trimEnd(),
})
