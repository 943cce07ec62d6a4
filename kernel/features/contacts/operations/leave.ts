/** `contacts.leave`: removes one contact, several or all from a group of the owner. Called by the table of operations. */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { GROUP_SLOT, PEOPLE_SLOT } from '../groups.ts'
import { contactFacts, GROUPED, groupBack, groupWords } from './shape.ts'

export const leaveGroup = defineOperation({
  name: 'contacts.leave',
  place: 'home',
  effect: 'write',
  released: true,
  args: { group: { ...word(), slot: GROUP_SLOT }, who: { ...rest(), slot: PEOPLE_SLOT } },
  result: GROUPED,
  ports: ['contacts'],
  run: ({ contacts }, { group, who }, caller) => contacts.regroup(caller, { group, who, how: 'leave' }),
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result }) => groupBack(result),
  text: groupWords,
})
