/**
 * `reminders.share`: proposes that the edge may know when private reminders are due, to say so while home is away. Puts a card; allows nothing
 * itself. Called by the table of operations.
 */
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const shareTimes = defineOperation({
  name: 'reminders.share',
  place: 'home',
  effect: 'widen',
  args: {},
  result: PROPOSED,
  ports: ['sharedTimes'],
  command: 'duetimes',
  slash: 'duetimes',
  run: ({ sharedTimes }, _, caller) => sharedTimes.allow(caller),
  text: proposedWords,
})
