/**
 * `memory.forget_about`: asks by a card whether to forget everything about a topic (E-20). Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, number, record } from '../../../operations/shape.ts'

export const forgetAboutMemory = defineOperation({
  name: 'memory.forget_about',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { topic: { ...rest(), initial: 'me' } },
  result: record({ approval: id('internal'), facts: number('internal'), results: number('internal') }),
  ports: ['memory', 'drive'],
  command: 'memory clear',
  async run({ memory, drive }, { topic }, caller) {
    const asked = await memory.askForget(caller, topic)
    // Delivers the card.
    if (asked.ok) drive()
    return asked.ok ? ok(asked.value) : asked
  },
  text: (_, { tell }) => tell('memory.forget_about_proposed'),
})
