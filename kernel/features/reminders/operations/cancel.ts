/** `reminders.cancel`: ends a reminder, with all its repetitions. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const cancelReminder = defineOperation({
  name: 'reminders.cancel',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: rest() },
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'unremind',
  slash: 'unremind',
  run: ({ reminders }, { which }, caller) => reminders.end(caller, 'reminder', which),
  undo: ({ result }) => ({
    operation: 'reminders.restore',
    args: { which: result.map(({ number }) => number).join(',') },
  }),
  text: (ended, view) =>
    ended.map((one) => view.tell('reminders.reminder_ended', { entry: entryWords(one, view) })).join('\n'),
})
