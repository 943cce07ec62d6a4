/**
 * `contacts.group`: sets who is in a group of the owner, "my team is Sarah, Tom and Lena". Called by the table of operations.
 */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { GROUP_SLOT, SEVERAL_SLOT } from '../groups.ts'
import { contactFacts, GROUPED, groupBack, groupWords } from './shape.ts'

export const groupContacts = defineOperation({
  name: 'contacts.group',
  place: 'home',
  effect: 'write',
  released: true,
  args: { group: { ...word(), slot: GROUP_SLOT }, who: { ...rest(), slot: SEVERAL_SLOT } },
  result: GROUPED,
  ports: ['contacts'],
  run: ({ contacts }, { group, who }, caller) => contacts.regroup(caller, { group, who, how: 'set' }),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => groupBack(result),
  text: groupWords,
})
