/**
 * `grants.freebusy`: whether the owner is free or busy may be told to whoever asks for a time. It puts a card, and allows nothing.
 * Called by the table of operations.
 */
import { named, option } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { PROPOSED, proposedWords } from '../../../operations/proposed.ts'

export const allowFreeBusy = defineOperation({
  name: 'grants.freebusy',
  summary: 'tell whoever asks for a time when you are free or busy; needs your yes to its card',
  place: 'home',
  effect: 'widen',
  args: {
    template: named('for which kind of conversation', 'scheduling', { takes: 'id' }),
    ahead: option('days', 'how far ahead', 14),
    for: option('days', 'how long it stands', 30),
    perDay: option('count', 'questions a day', 10, { flag: 'per-day', takes: 'times' }),
  },
  result: PROPOSED,
  ports: ['grants', 'freeBusy'],
  run: ({ grants, freeBusy }, { template, ahead: daysAhead, for: days, perDay }, caller) =>
    grants.allow(caller, { ...freeBusy, template, daysAhead, days, perDay }),
  text: proposedWords,
})
