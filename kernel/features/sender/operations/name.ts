/** `sender.name`: sets the name beside the owner's address. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { senderName } from '../sender.ts'
import { BEFORE, SENDER, senderFacts, senderWords } from './shape.ts'

export const nameSender = defineOperation({
  name: 'sender.name',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { name: rest() },
  result: SENDER,
  ports: ['sender'],
  async run({ sender }, { name: typed }) {
    const name = senderName(typed)
    return name.ok ? ok(await sender.change({ name: name.value })) : name
  },
  state: async ({ sender }) => senderFacts(await sender.read()),
  undo: () => BEFORE,
  text: (view, telling) => senderWords(view, telling),
})
