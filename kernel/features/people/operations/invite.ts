/**
 * `people.invite`: makes a one-time code for each named person (B-04). Sends one approval card and pairs nobody: the owner must
 * approve, and then each person must send their code. No plan may call it, because its answer contains codes, which no model may
 * read. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { named, names, option } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { PEOPLE_SLOT, peopleNamed } from '../named-people.ts'
import { INVITED, invitedWords } from './shape.ts'

export const invitePerson = defineOperation({
  name: 'people.invite',
  place: 'home',
  effect: 'widen',
  args: {
    name: { ...named('somebody'), slot: PEOPLE_SLOT },
    as: names(['paired_scheduling']),
    expires: option('hours', 24),
    for: option('days', 90),
  },
  result: INVITED,
  ports: ['people', 'contacts'],
  slash: 'invite',
  async run({ people, contacts }, { name: said, as: templates, expires: hours, for: days }, caller) {
    const meant = peopleNamed(said, await contacts.list(caller))
    if (!meant.ok) return meant
    const [name = '', ...others] = meant.value
    const several = others.length > 0 && { others }
    const put = await people.invite(caller, { name, ...several, templates, hours, days })
    return put.ok ? ok({ ...put.value, each: [...put.value.each] }) : put
  },
  text: invitedWords,
})
