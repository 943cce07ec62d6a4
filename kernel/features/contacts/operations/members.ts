/** `contacts.members`: lists who is in a group of the owner, each with the address. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { GROUP_SLOT } from '../groups.ts'
import { CONTACT, contactLine } from './shape.ts'

export const groupMembers = defineOperation({
  name: 'contacts.members',
  place: 'home',
  effect: 'read',
  released: true,
  args: { group: { ...rest(), slot: GROUP_SLOT } },
  result: list(CONTACT, 3_000),
  ports: ['contacts'],
  run: ({ contacts }, { group }, caller) => contacts.members(caller, group),
  text: (all, view) => all.map((contact) => contactLine(contact, view)).join('\n'),
})
