/** `edge.unlock`: lets the edge work again: said at home alone (DESIGN §1). Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { flag, record } from '../../../operations/shape.ts'

export const unlockEdge = defineOperation({
  name: 'edge.unlock',
  command: 'unlock',
  summary: 'let the edge work again; from home only',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ done: flag('internal') }),
  ports: ['edgeLock'],
  slash: 'unlock',
  awake: true,
  run: ({ edgeLock }) => edgeLock(false),
  text: ({ done }) =>
    done
      ? 'The edge is unlocked.'
      : 'The edge cannot be reached. It will be unlocked as soon as it is connected again.',
})
