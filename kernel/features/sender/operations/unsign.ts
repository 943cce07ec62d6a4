/** `sender.unsign`: removes the signature below the owner's mails. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const unsignSender = defineOperation({
  name: 'sender.unsign',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: {},
  result: SENDER,
  ports: ['sender'],
  run: async ({ sender }) => ok(await sender.change({ signature: null })),
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
