/** `reminders.cancel`: ends a reminder, with all its repetitions. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const cancelReminder = defineOperation({
  name: 'reminders.cancel',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: ENTRY,
  ports: ['reminders'],
  command: 'unremind',
  slash: 'unremind',
  run: ({ reminders }, { number }, caller) => reminders.end(caller, 'reminder', number),
  text: (ended, view) => view.tell('reminders.reminder_ended', { entry: entryWords(ended, view) }),
})
