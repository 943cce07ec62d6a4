/** `contacts.change`: gives a contact another address. Called by the table of operations. */
import { mailAddress, rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { contactFacts, FOUND, foundWords, takenBack } from './shape.ts'

export const changeContact = defineOperation({
  name: 'contacts.change',
  place: 'home',
  effect: 'write',
  released: true,
  args: { email: mailAddress(), who: rest() },
  result: FOUND,
  ports: ['contacts'],
  run: ({ contacts }, { who, email }, caller) => contacts.change(caller, who, email),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => takenBack(result),
  text: (found, view) => foundWords(found, view, 'contacts.changed'),
})
