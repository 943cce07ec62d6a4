/** `approvals.show`: the whole of one card, or how it ended (F-04). Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'

export const showApproval = defineOperation({
  name: 'approvals.show',
  summary: 'the whole of one card',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: { which: word('id, or number') },
  result: record({ text: text('sensitive') }),
  ports: ['approvals'],
  async run({ approvals }, { which }, { principal }) {
    const waiting = await approvals.list(principal)
    const view = waiting.find(({ id, number }) => id === which || (number > 0 && String(number) === which))
    if (view !== undefined) return ok({ text: view.full })
    const ended = await approvals.standing(principal, which)
    if (!ended.ok) return ended
    return ended.value.isOver ? ok({ text: ended.value.words }) : err('approval_unknown')
  },
  text: ({ text: whole }) => whole.trimEnd(),
})
