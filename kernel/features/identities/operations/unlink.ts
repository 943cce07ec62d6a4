/**
 * `identities.unlink`: ends a link at once, so that neither account sees the other's session; needs no approval,
 * because it widens nothing. Called by the table of operations.
 */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, id, record } from '../../../operations/shape.ts'

export const unlinkIdentities = defineOperation({
  name: 'identities.unlink',
  place: 'home',
  effect: 'write',
  args: { id: word() },
  result: record({ link: id('internal'), wasLive: flag('internal') }),
  ports: ['identities'],
  run: async ({ identities }, { id: link }, { principal }) => identities.remove(link, principal),
  state: async ({ identities }, { id: link }) => ({
    state: identities.list().find((one) => one.id === link)?.state ?? null,
  }),
  text: ({ wasLive }, { tell }) => tell(wasLive ? 'identities.unlinked' : 'identities.given_up'),
})
