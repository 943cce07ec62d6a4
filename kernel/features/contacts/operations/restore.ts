/** `contacts.restore`: undoes the last change or the removal of a contact. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { CONTACT, contactFacts } from './shape.ts'

export const restoreContact = defineOperation({
  name: 'contacts.restore',
  place: 'home',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: CONTACT,
  ports: ['contacts'],
  run: ({ contacts }, { number }, caller) => contacts.restore(caller, number),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ args: { number } }) => ({ operation: 'contacts.restore', args: { number } }),
  text: ({ name, email }, view) =>
    view.tell('contacts.restored', { name: oneLine(name), email: oneLine(email) }),
})
