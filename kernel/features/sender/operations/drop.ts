/** `sender.drop`: removes an address that the owner may write from. Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { mailAddress } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { isSameAddress } from '../sender.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const dropSender = defineOperation({
  name: 'sender.drop',
  place: 'home',
  effect: 'write',
  args: { address: mailAddress() },
  result: SENDER,
  ports: ['sender'],
  async run({ sender }, { address }) {
    const { addresses, standard } = await sender.read()
    const left = addresses.filter((one) => !isSameAddress(one, address))
    if (left.length === addresses.length) return err('sender_unknown')
    const isUsual = standard !== null && isSameAddress(standard, address)
    return ok(await sender.change({ addresses: left, ...(isUsual && { standard: null }) }))
  },
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
