/** `people.revoke`: from the next message on that person is a stranger; nothing is asked, as it widens nothing (B-04). Called by the table of operations. */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, id, record } from '../../../operations/shape.ts'

export const revokePerson = defineOperation({
  name: 'people.revoke',
  summary: 'end what you agreed on with a person, at once; what was said cannot be recalled',
  place: 'home',
  effect: 'write',
  args: { id: word('from `pfar people`') },
  result: record({ agreement: id('internal'), wasLive: flag('internal') }),
  ports: ['people'],
  slash: 'dismiss',
  run: ({ people }, { id: agreement }, { principal }) => people.revoke(agreement, principal),
  state: async ({ people }, { id: agreement }) => ({
    state: (await people.list()).find((one) => one.id === agreement)?.state ?? null,
  }),
  text: ({ wasLive }) =>
    wasLive
      ? 'Taken back. From the next message on that person is a stranger; what was said cannot be recalled.'
      : 'Taken back. The code is worth nothing.',
})
