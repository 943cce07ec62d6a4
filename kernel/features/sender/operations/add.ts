/** `sender.add`: adds an address that the owner may write from. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { mailAddress } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { withAddress } from './address.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const addSender = defineOperation({
  name: 'sender.add',
  place: 'home',
  effect: 'write',
  args: { address: mailAddress() },
  result: SENDER,
  ports: ['sender'],
  async run({ sender }, { address }) {
    const added = withAddress(await sender.read(), address)
    return added.ok ? ok(await sender.change({ addresses: added.value.addresses })) : added
  },
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
