/** `grants.list`: what is allowed without asking each time, with the words that were agreed to (F-12). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { below, oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, oneOf, record, text } from '../../../operations/shape.ts'

export const listGrants = defineOperation({
  name: 'grants.list',
  summary: 'what is allowed in advance, with the words that you agreed to',
  place: 'home',
  effect: 'read',
  args: {},
  result: list(
    record({
      id: id('internal'),
      kind: oneOf(['write', 'fields', 'cloud', 'transport', 'disclosure'], 'internal'),
      template: text('internal'),
      card: text('sensitive'),
      state: oneOf(['live', 'ended', 'revoked'], 'internal'),
      createdAt: number('internal'),
      expiresAt: number('internal'),
      perDay: number('internal'),
    }),
  ),
  ports: ['grants'],
  slash: 'grants',
  phrases: ['what may you do without asking', 'what have I allowed in advance'],
  run: async ({ grants }) => ok(await grants.list()),
  text: (grants) =>
    grants.length === 0
      ? 'Nothing is allowed in advance.'
      : grants
          .map(({ id: grant, state, card }) => [`${oneLine(grant)} · ${state}`, ...below(card)].join('\n'))
          .join('\n\n'),
})
