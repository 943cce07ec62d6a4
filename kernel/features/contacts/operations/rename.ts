/** `contacts.rename`: gives a contact another name. Called by the table of operations. */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { contactFacts, FOUND, foundWords, takenBack } from './shape.ts'

export const renameContact = defineOperation({
  name: 'contacts.rename',
  place: 'home',
  effect: 'write',
  released: true,
  args: { who: word(), name: rest() },
  result: FOUND,
  ports: ['contacts'],
  run: ({ contacts }, { who, name }, caller) => contacts.rename(caller, who, name),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => takenBack(result),
  text: (found, view) => foundWords(found, view, 'contacts.changed'),
})
