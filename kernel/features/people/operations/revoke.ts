/**
 * `people.revoke`: ends a pairing; from the next message on that person is a stranger. Needs no approval, because it
 * widens nothing (B-04). Called by the table of operations.
 */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, id, record } from '../../../operations/shape.ts'

export const revokePerson = defineOperation({
  name: 'people.revoke',
  place: 'home',
  effect: 'write',
  args: { id: word() },
  result: record({ agreement: id('internal'), wasLive: flag('internal') }),
  ports: ['people'],
  slash: 'dismiss',
  run: ({ people }, { id: agreement }, { principal }) => people.revoke(agreement, principal),
  state: async ({ people }, { id: agreement }) => ({
    state: (await people.list()).find((one) => one.id === agreement)?.state ?? null,
  }),
  // `people.again` needs an approval of its own: it shows a card with a new code.
  undo: ({ args: { id: agreement } }) => ({ operation: 'people.again', args: { ids: agreement } }),
  text: ({ wasLive }, { tell }) => tell(wasLive ? 'people.dismissed' : 'people.code_gone'),
})
