/** `edge.unlock`: unlocks the edge; at home only (DESIGN §1). Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { flag, record } from '../../../operations/shape.ts'

export const unlockEdge = defineOperation({
  name: 'edge.unlock',
  command: 'unlock',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ done: flag('internal') }),
  ports: ['edgeLock'],
  slash: 'unlock',
  awake: true,
  run: ({ edgeLock }) => edgeLock(false),
  undo: () => ({ operation: 'edge.lock', args: {} }),
  text: ({ done }, { tell }) => tell(done ? 'places.unlocked' : 'places.unlocked_later'),
})
