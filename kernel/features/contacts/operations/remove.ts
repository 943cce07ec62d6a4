/**
 * `contacts.remove`: removes a contact, whose address is then no known destination; it can be restored for a day. Called by the
 * table of operations.
 */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { contactFacts, FOUND, foundWords, takenBack } from './shape.ts'

export const removeContact = defineOperation({
  name: 'contacts.remove',
  place: 'home',
  effect: 'write',
  released: true,
  args: { who: rest() },
  result: FOUND,
  ports: ['contacts'],
  slash: 'uncontact',
  run: ({ contacts }, { who }, caller) => contacts.remove(caller, who),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => takenBack(result),
  text: (found, view) => foundWords(found, view, 'contacts.removed'),
})
