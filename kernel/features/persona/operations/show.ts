/**
 * `persona.show`: shows the owner's name and the assistant's, as far as they are set (O-58). Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { maybe, record, text } from '../../../operations/shape.ts'
import { OWNER_FILE, ownerNameIn } from '../owner-name.ts'

export const showPersona = defineOperation({
  name: 'persona.show',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({ owner: maybe(text('sensitive')), assistant: text('internal') }),
  ports: ['persona', 'directives'],
  slash: 'names',
  async run({ persona, directives }, _, caller) {
    const shown = await directives.show(caller, OWNER_FILE, null)
    const owner = shown.ok ? ownerNameIn(shown.value.text) : null
    return ok({ owner, assistant: persona.read().name })
  },
  text: ({ owner, assistant }, { tell }) =>
    [
      owner === null ? tell('persona.owner_unknown') : tell('persona.owner_is', { name: oneLine(owner) }),
      tell('persona.assistant_is', { name: oneLine(assistant) }),
    ].join(' '),
})
