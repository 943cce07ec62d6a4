/**
 * `contacts.regroup`: undoes the last change of these contacts, as after a change of a group. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { CONTACT, contactFacts, contactLine } from './shape.ts'

export const regroupContacts = defineOperation({
  name: 'contacts.regroup',
  place: 'home',
  effect: 'write',
  released: true,
  args: { numbers: rest() },
  result: list(CONTACT),
  ports: ['contacts'],
  async run({ contacts }, { numbers }, caller) {
    const back = []
    for (const number of numbers.match(/\d{1,9}/g) ?? []) {
      const one = await contacts.restore(caller, Number(number))
      if (!one.ok) return one
      back.push(one.value)
    }
    return ok(back)
  },
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ args: { numbers } }) => ({ operation: 'contacts.regroup', args: { numbers } }),
  text: (all, view) =>
    [view.tell('contacts.group_back'), ...all.map((contact) => contactLine(contact, view))].join('\n'),
})
