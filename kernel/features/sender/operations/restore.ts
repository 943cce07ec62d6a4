/** `sender.restore`: restores the sender settings from before the last change. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const restoreSender = defineOperation({
  name: 'sender.restore',
  place: 'home',
  effect: 'write',
  args: {},
  result: SENDER,
  ports: ['sender'],
  run: async ({ sender }) => ok(await sender.restore()),
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
