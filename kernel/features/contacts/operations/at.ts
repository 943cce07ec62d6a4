/** `contacts.at`: lists everyone with an address at a host, such as a firm's. Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { hostName } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { CONTACT, contactLine } from './shape.ts'

export const contactsAt = defineOperation({
  name: 'contacts.at',
  place: 'home',
  effect: 'read',
  released: true,
  args: { host: hostName() },
  result: list(CONTACT, 3_000),
  ports: ['contacts'],
  async run({ contacts }, { host }, caller) {
    const wanted = host.toLowerCase().replace(/^@/, '')
    const found = (await contacts.list(caller)).filter(({ email }) => {
      const own = email.toLowerCase().split('@')[1] ?? ''
      return own === wanted || own.endsWith(`.${wanted}`)
    })
    return found.length > 0 ? ok(found) : err('contact_unknown')
  },
  text: (all, view) => all.map((contact) => contactLine(contact, view)).join('\n'),
})
