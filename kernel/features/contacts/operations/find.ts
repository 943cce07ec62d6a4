/**
 * `contacts.find`: shows the address of one person. If no contact has that name, answers with what the owner had remembered about
 * it, such as where somebody lives. Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, maybe, record, text } from '../../../operations/shape.ts'
import { CONTACT, contactLine } from './shape.ts'

export const findContact = defineOperation({
  name: 'contacts.find',
  place: 'home',
  effect: 'read',
  released: true,
  args: { who: rest() },
  result: record({ contacts: list(CONTACT, 3_000), remembered: maybe(text('sensitive')) }),
  ports: ['contacts', 'memory'],
  slash: 'contact',
  async run({ contacts, memory }, { who }, caller) {
    const found = await contacts.find(caller, who)
    if (found.length > 0) return ok({ contacts: found, remembered: null })
    const kept = await memory.find(caller, `${who} address`)
    return kept.ok ? ok({ contacts: [], remembered: kept.value.text }) : err('contact_unknown')
  },
  text: ({ contacts, remembered }, view) =>
    remembered === null
      ? contacts.map((contact) => contactLine(contact, view)).join('\n')
      : view.tell('contacts.remembered', { text: oneLine(remembered) }),
})
