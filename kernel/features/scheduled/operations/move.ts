/**
 * `scheduled.move`: asks, by a card with the whole call, whether a waiting call is sent at another time. Called by the table of
 * operations.
 */
import { maybeNamed, maybeRest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'
import { SCHEDULED_FIELDS, scheduledWords } from './shape.ts'

export const moveScheduled = defineOperation({
  name: 'scheduled.move',
  place: 'home',
  effect: 'write',
  released: true,
  args: { which: word(), when: maybeRest(), before: maybeNamed() },
  result: record({ ...SCHEDULED_FIELDS, to: number('internal') }),
  ports: ['scheduled', 'drive'],
  command: 'reschedule',
  slash: 'reschedule',
  async run({ scheduled, drive }, { which, when, before }, caller) {
    const moving = await scheduled.move(caller, which, { when, before })
    // The card is sent by a task of its own.
    if (moving.ok) drive()
    return moving
  },
  text: (moving, view) =>
    view.tell('scheduled.moving', {
      when: namedMoment(moving.to, view.timezone, view.now),
      entry: scheduledWords(moving, view),
    }),
})
