/** `quiet.set`: sets when nothing is sent unrequested. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'
import { QUIET, QUIET_FIELDS, quietFacts, quietSaid, quietWords } from './shape.ts'

/** Pattern source of times of day and lengths, in a few words. */
const TIMES = String.raw`(?:\d|an?\b|half\b|noon|midnight|tomorrow|eine?\b|morgen|the next|one|two|three|four)[^?!,]{0,40}`

export const setQuiet = defineOperation({
  name: 'quiet.set',
  place: 'both',
  from: 'open',
  effect: 'write',
  plannable: true,
  args: { when: { ...rest(), slot: TIMES } },
  result: record({ ...QUIET_FIELDS, before: QUIET }),
  ports: ['quiet', 'drive'],
  command: 'quiet',
  slash: 'quiet',
  async run({ quiet, drive }, { when }) {
    const set = quiet.set(when)
    if (!set.ok) return set
    // The timer must learn when held deliveries are due.
    drive()
    return { ok: true, value: { ...set.value.now, before: set.value.before } }
  },
  state: async ({ quiet }) => quietFacts(quiet.read()),
  undo: ({ result: { before } }) => ({ operation: 'quiet.set', args: { when: quietSaid(before) } }),
  text: (quiet, view) =>
    [quietWords(quiet, view), ...(view.place === 'edge' ? [view.tell('quiet.here')] : [])].join('\n'),
})
