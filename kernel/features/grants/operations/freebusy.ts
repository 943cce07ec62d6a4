/**
 * `grants.freebusy`: proposes a grant that lets anyone who asks for a time learn whether the owner is free or busy
 * . Sends an approval card; allows nothing itself. Called by the table of operations.
 */
import { named, option } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const allowFreeBusy = defineOperation({
  name: 'grants.freebusy',
  place: 'home',
  effect: 'widen',
  plannable: true,
  args: {
    template: named('scheduling'),
    ahead: option('days', 14),
    for: option('days', 30),
    perDay: option('count', 10, { flag: 'per-day' }),
  },
  result: PROPOSED,
  ports: ['grants', 'freeBusy'],
  run: ({ grants, freeBusy }, { template, ahead: daysAhead, for: days, perDay }, caller) =>
    grants.allow(caller, { ...freeBusy, template, daysAhead, days, perDay }),
  text: proposedWords,
})
