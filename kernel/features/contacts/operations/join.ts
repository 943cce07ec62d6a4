/** `contacts.join`: adds contacts to a group of the owner. Called by the table of operations. */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { GROUP_SLOT, PEOPLE_SLOT } from '../groups.ts'
import { contactFacts, GROUPED, groupBack, groupWords } from './shape.ts'

export const joinGroup = defineOperation({
  name: 'contacts.join',
  place: 'home',
  effect: 'write',
  released: true,
  args: { group: { ...word(), slot: GROUP_SLOT }, who: { ...rest(), slot: PEOPLE_SLOT } },
  result: GROUPED,
  ports: ['contacts'],
  run: ({ contacts }, { group, who }, caller) => contacts.regroup(caller, { group, who, how: 'join' }),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => groupBack(result),
  text: groupWords,
})
