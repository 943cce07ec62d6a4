/** `edge.lock`: the edge gives up what it holds open, and takes nothing in until home says so (DESIGN §1). Called by the table of operations. */
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
  // A chat of the edge would be cut off by it in the middle of its answer.
  slashAt: 'home',
  awake: true,
  run: ({ edgeLock }) => edgeLock(true),
  undo: () => ({ operation: 'edge.unlock', args: {} }),
  text: ({ done }, { tell }) => tell(done ? 'places.locked' : 'places.locked_later'),
})
