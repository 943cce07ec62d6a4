/** `sender.sign`: sets the signature below the owner's mails. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { SENDER_TEXT, signatureText } from '../sender.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

/** Pattern source of a text up to the end of the message, over several lines. */
const WHOLE = String.raw`[\s\S]{1,${SENDER_TEXT.signature * 2}}`

export const signSender = defineOperation({
  name: 'sender.sign',
  place: 'home',
  effect: 'write',
  args: { signature: { ...rest(), slot: WHOLE } },
  result: SENDER,
  ports: ['sender'],
  async run({ sender }, { signature: typed }) {
    const signature = signatureText(typed)
    return signature.ok ? ok(await sender.change({ signature: signature.value })) : signature
  },
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
