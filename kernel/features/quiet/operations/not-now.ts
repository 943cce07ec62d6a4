/**
 * `quiet.not_now`: holds unrequested deliveries for a while, and repeats the last reminder after that. Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { maybeRest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, record } from '../../../operations/shape.ts'
import { QUIET, QUIET_FIELDS, quietFacts, quietSaid, quietWords } from './shape.ts'

const LENGTH = String.raw`(?:\d|an?\b|half\b|noon|midnight|tomorrow|eine?r?\b|morgen|one|two|three|four|zwei|drei|vier)[^?!,]{0,40}`

/** Length used if the owner names none. */
const USUAL = 'an hour'

export const notNow = defineOperation({
  name: 'quiet.not_now',
  place: 'both',
  from: 'open',
  effect: 'write',
  plannable: true,
  args: { when: { ...maybeRest(), slot: LENGTH } },
  result: record({ ...QUIET_FIELDS, before: QUIET, again: flag('internal') }),
  ports: ['quiet', 'reminders', 'drive'],
  command: 'notnow',
  slash: 'notnow',
  async run({ quiet, reminders, drive }, { when }, caller) {
    const set = quiet.set(when ?? USUAL)
    if (!set.ok) return set
    // It is no failure if no reminder has come.
    const put = await reminders.later(caller, when ?? USUAL)
    drive()
    return ok({ ...set.value.now, before: set.value.before, again: put.ok })
  },
  state: async ({ quiet }) => quietFacts(quiet.read()),
  undo: ({ result: { before } }) => ({ operation: 'quiet.set', args: { when: quietSaid(before) } }),
  text: (quiet, view) =>
    [quietWords(quiet, view), ...(quiet.again ? [view.tell('quiet.again')] : [])].join('\n'),
})
