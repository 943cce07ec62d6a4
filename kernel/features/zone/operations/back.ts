/** `zone.back`: sets the owner's own zone again. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { backTo, MOVED, movedWords } from './shape.ts'

export const backInZone = defineOperation({
  name: 'zone.back',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: {},
  result: MOVED,
  ports: ['zone', 'drive'],
  command: 'backhome',
  slash: 'backhome',
  async run({ zone, drive }) {
    const moved = zone.back()
    if (moved.ok) drive()
    return moved
  },
  state: async ({ zone }) => ({ zone: zone.read()?.zone ?? null, until: zone.read()?.until ?? null }),
  undo: ({ result }) => backTo(result),
  text: (moved, view) => movedWords(moved, view),
})
