/**
 * `contacts.add`: adds a person and an address that the owner typed, which makes the address a known destination (DESIGN §9).
 * Without a name, the name is made from the address. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { mailAddress, maybeRest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { CONTACT, contactFacts } from './shape.ts'

export const addContact = defineOperation({
  name: 'contacts.add',
  place: 'home',
  effect: 'write',
  released: true,
  args: { email: mailAddress(), name: maybeRest() },
  result: CONTACT,
  ports: ['contacts'],
  slash: 'addcontact',
  async run({ contacts }, { email, name }, caller) {
    const added = await contacts.add(caller, { email, name: name ?? calledAs(email) })
    return added.ok ? ok(added.value) : added
  },
  state: async ({ contacts }, _, caller) => contactFacts(await contacts.list(caller)),
  undo: ({ result: { number } }) =>
    number === null ? null : { operation: 'contacts.remove', args: { who: String(number) } },
  text: ({ name, email }, view) =>
    view.tell('contacts.added', { name: oneLine(name), email: oneLine(email) }),
})

/** Name from an address: `tom.baker@…` becomes Tom Baker. */
function calledAs(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[._+-]+/).filter((word) => word !== '')
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ')
}
