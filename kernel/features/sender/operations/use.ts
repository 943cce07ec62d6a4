/** `sender.use`: sets the address from which the owner's mails are sent by default. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { mailAddress } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { withAddress } from './address.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const useSender = defineOperation({
  name: 'sender.use',
  place: 'home',
  effect: 'write',
  args: { address: mailAddress() },
  result: SENDER,
  ports: ['sender'],
  async run({ sender }, { address }) {
    const added = withAddress(await sender.read(), address)
    if (!added.ok) return added
    const { addresses, address: standard } = added.value
    return ok(await sender.change({ addresses, standard }))
  },
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
