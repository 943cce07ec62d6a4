/** `contacts.list`: lists everyone whose address is known. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { CONTACT, contactLine } from './shape.ts'

export const listContacts = defineOperation({
  name: 'contacts.list',
  place: 'home',
  effect: 'read',
  released: true,
  args: {},
  result: list(CONTACT, 3_000),
  ports: ['contacts'],
  slash: 'contacts',
  run: async ({ contacts }, _, caller) => ok(await contacts.list(caller)),
  text: (all, view) =>
    all.length === 0
      ? view.tell('contacts.none')
      : all.map((contact) => contactLine(contact, view)).join('\n'),
})
