/** `quiet.end`: ends quiet hours; deliveries that were held are sent. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'
import { QUIET, QUIET_FIELDS, quietFacts, quietSaid, quietWords } from './shape.ts'

export const endQuiet = defineOperation({
  name: 'quiet.end',
  place: 'both',
  from: 'open',
  effect: 'write',
  plannable: true,
  args: {},
  result: record({ ...QUIET_FIELDS, before: QUIET }),
  ports: ['quiet', 'drive'],
  command: 'unquiet',
  slash: 'unquiet',
  async run({ quiet, drive }) {
    const set = quiet.set('off')
    if (!set.ok) return set
    drive()
    return { ok: true, value: { ...set.value.now, before: set.value.before } }
  },
  state: async ({ quiet }) => quietFacts(quiet.read()),
  undo: ({ result: { before } }) => ({ operation: 'quiet.set', args: { when: quietSaid(before) } }),
  text: ({ before, ...quiet }, view) =>
    before.hours === null && before.until === null ? quietWords(quiet, view) : view.tell('quiet.ended'),
})
