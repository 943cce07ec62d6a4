/** `reminders.move`: gives a reminder another time, with all its repetitions. Called by the table of operations. */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'
import { ENTRY_FIELDS, entryWords } from './shape.ts'

export const moveReminder = defineOperation({
  name: 'reminders.move',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: word(), when: rest() },
  result: record({ ...ENTRY_FIELDS, before: number('internal') }),
  ports: ['reminders', 'drive'],
  command: 'moveremind',
  slash: 'moveremind',
  async run({ reminders, drive }, { which, when }, caller) {
    const moved = await reminders.move(caller, which, when)
    // The timer has to know of the new time.
    if (moved.ok) drive()
    return moved
  },
  undo: ({ result: { number: count, before } }) => ({
    operation: 'reminders.move',
    args: { which: String(count), when: new Date(before).toISOString() },
  }),
  text: (moved, view) => view.tell('reminders.moved', { entry: entryWords(moved, view) }),
})
