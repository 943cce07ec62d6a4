/** `approvals.list`: questions that wait for the owner's decision (F-04). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { below, oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, record, text } from '../../../operations/shape.ts'
import { briefCard } from '../card/card-face.ts'

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
          .map(({ id: approval, number: count, card, full, expiresAt }) => {
            const left = Math.max(0, Math.ceil((expiresAt - now) / 60_000))
            const [what = '', ...given] = waiting.length === 1 ? card.split('\n') : briefCard(full)
            const name = count > 0 ? String(count) : oneLine(approval)
            const head = tell('approvals.row', { name, what: oneLine(what), left })
            return [head, ...given.flatMap(below)].join('\n').trimEnd()
          })
          .join('\n'),
})
