/** `reminders.restore`: takes back that reminders or tasks were done, cancelled or put off. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const restoreReminders = defineOperation({
  name: 'reminders.restore',
  place: 'both',
  from: 'open',
  effect: 'write',
  command: 'restoreremind',
  released: true,
  args: { which: rest() },
  result: list(ENTRY),
  ports: ['reminders', 'drive'],
  async run({ reminders, drive }, { which }, caller) {
    const restored = await reminders.restore(caller, (which.match(/\d{1,9}/g) ?? []).map(Number))
    // The timer has to know of the new time.
    if (restored.ok) drive()
    return restored
  },
  undo: ({ args: { which } }) => ({ operation: 'reminders.restore', args: { which } }),
  text: (restored, view) =>
    restored.map((one) => view.tell('reminders.restored', { entry: entryWords(one, view) })).join('\n'),
})
