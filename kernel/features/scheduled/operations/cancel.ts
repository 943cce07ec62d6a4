/** `scheduled.cancel`: cancels a waiting call, so that it is not sent. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { SCHEDULED, scheduledWords } from './shape.ts'

export const cancelScheduled = defineOperation({
  name: 'scheduled.cancel',
  place: 'home',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: rest() },
  result: SCHEDULED,
  ports: ['scheduled'],
  command: 'unschedule',
  slash: 'unschedule',
  run: ({ scheduled }, { which }, caller) => scheduled.cancel(caller, which),
  undo: ({ result: { number } }) => ({ operation: 'scheduled.restore', args: { number } }),
  text: (one, view) => view.tell('scheduled.cancelled', { entry: scheduledWords(one, view) }),
})
