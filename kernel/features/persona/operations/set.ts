/**
 * `persona.set`: takes the owner's name, the assistant's name and its style from a sentence of the owner (O-58). A new name that
 * replaces a line of the owner's file asks by a card, as any edit that removes a line. Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { maybe, record, text } from '../../../operations/shape.ts'
import { namesIn } from '../names-in.ts'
import { OWNER_FILE, ownerNameIn, withOwnerName } from '../owner-name.ts'

export const setPersona = defineOperation({
  name: 'persona.set',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { said: rest() },
  result: record({
    owner: maybe(text('sensitive')),
    assistant: maybe(text('internal')),
    style: maybe(text('internal')),
    approval: maybe(text('internal')),
  }),
  ports: ['persona', 'directives'],
  slash: 'name',
  async run({ persona, directives }, { said }, caller) {
    const given = namesIn(said)
    if (given === null) return err('persona_name')
    const { owner, assistant, style } = given
    const { name, fixed } = persona.read()
    if (fixed && assistant !== null && assistant !== name) return err('persona_fixed')
    const called = assistant === null || fixed ? ok(true) : persona.call(assistant)
    if (!called.ok) return called
    const spoken = style === null ? ok(true) : persona.speak(style)
    if (!spoken.ok) return spoken
    const unchanged = { owner, assistant, style, approval: null }
    if (owner === null) return ok(unchanged)
    const shown = await directives.show(caller, OWNER_FILE, null)
    if (!shown.ok) return shown
    const before = ownerNameIn(shown.value.text)
    if (before === owner) return ok(unchanged)
    const written = await directives.edit(caller, {
      name: OWNER_FILE,
      text: withOwnerName(shown.value.text, owner),
      replaces: shown.value.version,
      cleanup: before !== null,
      message: caller.message,
    })
    return written.ok ? ok({ ...unchanged, approval: written.value.approval }) : written
  },
  text: ({ owner, assistant, style, approval }, { tell }) =>
    [
      ...(owner === null
        ? []
        : [tell(approval === null ? 'persona.owner_now' : 'persona.owner_asked', { name: oneLine(owner) })]),
      ...(assistant === null ? [] : [tell('persona.assistant_now', { name: oneLine(assistant) })]),
      ...(style === null ? [] : [tell('persona.style_now', { style: oneLine(style) })]),
    ].join(' '),
})
