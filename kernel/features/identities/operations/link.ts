/**
 * `identities.link`: makes codes for two accounts of one person (F-15, F-16). Links nothing itself: both accounts
 * must send their code, and then a card asks the owner. Called by the table of operations.
 */
import { word } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, record, text } from '../../../operations/shape.ts'
import { principalTyped } from '../../../task/principal.ts'
import { plainPrincipal } from './list.ts'

const MINUTE = 60_000

export const linkIdentities = defineOperation({
  name: 'identities.link',
  place: 'home',
  effect: 'write',
  args: {
    one: word(),
    other: word(),
  },
  result: record({
    link: id('internal'),
    ends: list(record({ principal: text('sensitive'), say: text('sensitive') })),
    expiresAt: number('internal'),
  }),
  ports: ['identities'],
  slash: 'link',
  run: ({ identities }, { one, other }, caller) =>
    identities.start(caller, [principalTyped(one), principalTyped(other)]),
  state: async ({ identities }) => ({ links: identities.list().length }),
  undo: ({ result: { link } }) => ({ operation: 'identities.unlink', args: { id: link } }),
  text({ link, ends, expiresAt }, view) {
    const minutes = Math.max(1, Math.round((expiresAt - view.now) / MINUTE))
    return [
      view.tell('identities.codes'),
      ...ends.map(({ principal, say }) => `   ${plainPrincipal(principal)}:   ${oneLine(say)}`),
      view.tell('identities.then', {
        minutes,
        waiting: view.say('approvals.list'),
        unlink: view.say('identities.unlink', oneLine(link)),
      }),
    ].join('\n')
  },
})
