/**
 * `edge.lock`: the edge drops the keys it holds open, and accepts nothing until home unlocks it (DESIGN §1). Called
 * by the table of operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { flag, record } from '../../../operations/shape.ts'

export const lockEdge = defineOperation({
  name: 'edge.lock',
  command: 'lock',
  place: 'both',
  from: 'open',
  effect: 'write',
  args: {},
  result: record({ done: flag('internal') }),
  ports: ['edgeLock'],
  slash: 'lock',
  // Not offered in a chat of the edge, because the lock would prevent the answer.
  slashAt: 'home',
  awake: true,
  run: ({ edgeLock }) => edgeLock(true),
  undo: () => ({ operation: 'edge.unlock', args: {} }),
  text: ({ done }, { tell }) => tell(done ? 'places.locked' : 'places.locked_later'),
})
