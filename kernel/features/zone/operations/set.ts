/**
 * `zone.set`: sets another zone for the owner's stay elsewhere; times by the clock follow. Called by the table of operations.
 */
import { maybeRest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { PLACES } from '../places.ts'
import { backTo, MOVED, movedWords } from './shape.ts'

const UNTIL = '(?:this week|today|tonight|diese woche|heute|(?:until|till|for|bis|für) [^?!,]{2,30})'

export const setZone = defineOperation({
  name: 'zone.set',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { place: { ...word(), slot: `(?:${PLACES})` }, until: { ...maybeRest(), slot: UNTIL } },
  result: MOVED,
  ports: ['zone', 'drive'],
  command: 'zone',
  slash: 'zone',
  async run({ zone, drive }, { place, until }) {
    const moved = zone.go(place, until)
    if (moved.ok) drive()
    return moved
  },
  state: async ({ zone }) => ({ zone: zone.read()?.zone ?? null, until: zone.read()?.until ?? null }),
  undo: ({ result }) => backTo(result),
  text: (moved, view) => movedWords(moved, view),
})
