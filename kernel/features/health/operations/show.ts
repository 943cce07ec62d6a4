/** `health.show`: the last day with health data, and the chats that may show it. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record, text } from '../../../operations/shape.ts'
import { HEALTH } from './allow.ts'

export const showHealth = defineOperation({
  name: 'health.show',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({ through: text('sensitive'), chats: list(text('internal')) }),
  ports: ['health', 'compartments'],
  async run({ health, compartments }) {
    const through = await health.through()
    return through.ok ? ok({ through: through.value, chats: compartments.chats(HEALTH) }) : through
  },
  text: ({ through, chats }, { tell }) =>
    tell('health.known', { through, chats: chats.join(', ') || tell('health.nowhere') }),
})
