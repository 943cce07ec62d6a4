/** `sender.show`: shows the name, address and signature of the owner's mails. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { SENDER, senderWords } from './shape.ts'

export const showSender = defineOperation({
  name: 'sender.show',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: SENDER,
  ports: ['sender'],
  run: async ({ sender }) => ok(await sender.read()),
  text: (view, telling) => senderWords(view, telling),
})
