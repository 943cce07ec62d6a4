/** `reminders.move`: gives a reminder another time, with all its repetitions. Called by the table of operations. */
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const moveReminder = defineOperation({
  name: 'reminders.move',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: word(), when: rest() },
  result: ENTRY,
  ports: ['reminders', 'drive'],
  command: 'moveremind',
  slash: 'moveremind',
  async run({ reminders, drive }, { which, when }, caller) {
    const moved = await reminders.move(caller, which, when)
    // The timer has to know of the new time.
    if (moved.ok) drive()
    return moved
  },
  // The time alone would not bring back its repetition.
  undo: ({ result: { number } }) => ({ operation: 'reminders.restore', args: { which: String(number) } }),
  text: (moved, view) => view.tell('reminders.moved', { entry: entryWords(moved, view) }),
})
