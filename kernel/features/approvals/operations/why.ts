/**
 * `approvals.why`: says why the newest waiting question is asked, in the sentence of its card; if none waits, what the assistant
 * asks about in general. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { isQuestionLine } from '../../../wording/words.ts'
import { briefCard } from '../card/card-face.ts'

export const whyApproval = defineOperation({
  name: 'approvals.why',
  place: 'home',
  effect: 'read',
  args: {},
  /** Full text of the newest waiting card; empty if none waits. */
  result: record({ full: text('sensitive') }),
  ports: ['approvals'],
  async run({ approvals }, _, { principal }) {
    const waiting = await approvals.list(principal)
    const newest = waiting.toSorted((one, other) => other.createdAt - one.createdAt)[0]
    return ok({ full: newest?.full ?? '' })
  },
  text: ({ full }, { tell }) => {
    if (full === '') return tell('approvals.why_in_general')
    const [what] = briefCard(full)
    const reason = full.split('\n').findLast(isQuestionLine) ?? tell('approvals.why_any')
    return tell('approvals.why_this', { what, reason })
  },
})
