/** `identities.unlink`: from now on neither account sees what the other says; nothing is asked, as it widens nothing. Called by the table of operations. */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, id, record } from '../../../operations/shape.ts'

export const unlinkIdentities = defineOperation({
  name: 'identities.unlink',
  summary: 'end the link of two accounts, at once; what was shown cannot be recalled',
  place: 'home',
  effect: 'write',
  args: { id: word('from `pfar identities`') },
  result: record({ link: id('internal'), wasLive: flag('internal') }),
  ports: ['identities'],
  run: async ({ identities }, { id: link }, { principal }) => identities.remove(link, principal),
  state: async ({ identities }, { id: link }) => ({
    state: identities.list().find((one) => one.id === link)?.state ?? null,
  }),
  text: ({ wasLive }) =>
    wasLive
      ? 'Unlinked. From now on neither sees what the other says.\nWhat was shown to either until now cannot be recalled.'
      : 'Given up. Nothing was linked.',
})
