/**
 * `grants.list`: the grants in force, with the text of the card that was approved (F-12). Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { below, oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, oneOf, record, text } from '../../../operations/shape.ts'

export const listGrants = defineOperation({
  name: 'grants.list',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: list(
    record({
      id: id('internal'),
      kind: oneOf(
        [
          'write',
          'fields',
          'cloud',
          'transport',
          'disclosure',
          'compartment',
          'append',
          'unasked',
          'due_times',
        ],
        'internal',
      ),
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
  run: async ({ grants }) => ok(await grants.list()),
  text: (grants, { tell }) =>
    grants.length === 0
      ? tell('grants.none')
      : grants
          .map(({ id: grant, state, card }) =>
            [`${oneLine(grant)} · ${tell(`grants.${state}`)}`, ...below(card)].join('\n'),
          )
          .join('\n\n'),
})
