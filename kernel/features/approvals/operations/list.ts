/** `approvals.list`: questions that wait for the owner's decision (F-04). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { below, oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, record, text } from '../../../operations/shape.ts'

export const listApprovals = defineOperation({
  name: 'approvals.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: {},
  result: list(
    record({
      id: id('internal'),
      number: number('internal'),
      task: text('internal'),
      tool: text('internal'),
      card: text('sensitive'),
      full: text('sensitive'),
      kind: text('internal'),
      count: number('internal'),
      reason: text('internal'),
      createdAt: number('internal'),
      expiresAt: number('internal'),
      options: number('internal'),
    }),
  ),
  ports: ['approvals'],
  run: async ({ approvals }, _, { principal }) => ok(await approvals.list(principal)),
  text: (waiting, { now, tell }) =>
    waiting.length === 0
      ? tell('approvals.none')
      : waiting
          .map(({ id: approval, number: count, tool, card, expiresAt }) => {
            const left = Math.max(0, Math.ceil((expiresAt - now) / 60_000))
            const about = tell('approvals.row', { tool: oneLine(tool), id: oneLine(approval), left })
            const head = count > 0 ? `${count}. ${about}` : about
            return [head, ...below(card)].join('\n')
          })
          .join('\n\n'),
})
