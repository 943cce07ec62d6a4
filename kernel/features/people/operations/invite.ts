/**
 * `people.invite`: makes a one-time code for one person (B-04). Sends an approval card and pairs nobody: the owner must approve
 * the card, and then the person must send the code. Called by the table of operations.
 */
import { err } from '../../../flow/verdict.ts'
import { named, names, option } from '../../../operations/argument.ts'
import { oneLine, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, number, record, text } from '../../../operations/shape.ts'

const HOUR = 3_600_000

/** "Who may ask when I am free?" and "nobody may ask" name no one, and are no wish to invite. */
const NOBODY =
  /^(?:who|whoever|which(?: .*)?|what(?: .*)?|nobody|no one|noone|none(?: .*)?|not .*|any(?:one|body)|every(?:one|body)|all(?: .*)?|strangers?|you|i|he|she|they|it|we|this|that)$/i

function isNobody(name: string): boolean {
  return NOBODY.test(name.trim())
}

export const invitePerson = defineOperation({
  name: 'people.invite',
  place: 'home',
  effect: 'widen',
  args: {
    name: named('somebody'),
    as: names(['paired_scheduling']),
    expires: option('hours', 24),
    for: option('days', 90),
  },
  // The code appears in this answer only, and is invalid before the approval.
  result: record({
    agreement: id('internal'),
    approval: id('internal'),
    say: text('sensitive'),
    openUntil: number('internal'),
  }),
  ports: ['people'],
  slash: 'invite',
  run: async ({ people }, { name, as: templates, expires: hours, for: days }, caller) =>
    isNobody(name)
      ? err('field_malformed', { path: 'name' })
      : people.invite(caller, { name, templates, hours, days }),
  text({ agreement, approval, say, openUntil }, view) {
    const hours = Math.max(1, Math.round((openUntil - view.now) / HOUR))
    return [
      view.tell('people.say'),
      `   ${oneLine(say)}`,
      view.tell('people.once', { hours, revoke: view.say('people.revoke', oneLine(agreement)) }),
      proposedWords({ approval }, view),
    ].join('\n')
  },
})
