/**
 * `people.invite`: makes a one-time code for each person named (B-04). Sends one approval card and pairs nobody: the owner must approve
 * the card, and then each must send their code. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { named, names, option } from '../../../operations/argument.ts'
import { oneLine, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, list, number, record, text } from '../../../operations/shape.ts'
import { MOST_INVITED, PEOPLE_SLOT, peopleNamed } from '../named-people.ts'

const HOUR = 3_600_000

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
  // A code appears in this answer only, and is invalid before the approval.
  result: record({
    agreement: id('internal'),
    approval: id('internal'),
    say: text('sensitive'),
    openUntil: number('internal'),
    each: list(
      record({ agreement: id('internal'), name: text('sensitive'), say: text('sensitive') }),
      MOST_INVITED,
    ),
  }),
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
  text({ agreement, approval, say, openUntil, each }, view) {
    const hours = Math.max(1, Math.round((openUntil - view.now) / HOUR))
    const revoke = view.say('people.revoke', oneLine(agreement))
    const codes = each.map((one) => `   ${oneLine(one.name)}: ${oneLine(one.say)}`)
    const lines =
      each.length === 0
        ? [view.tell('people.say'), `   ${oneLine(say)}`, view.tell('people.once', { hours, revoke })]
        : [view.tell('people.say_each'), ...codes, view.tell('people.once_each', { hours })]
    return [...lines, proposedWords({ approval }, view)].join('\n')
  },
})
