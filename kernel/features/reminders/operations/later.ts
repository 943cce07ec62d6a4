/** `reminders.later`: puts off one that is named, or the reminder that came last in this chat. Called by the table of operations. */
import { maybeOption, rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const putOffReminder = defineOperation({
  name: 'reminders.later',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { when: rest(), number: maybeOption('count') },
  result: ENTRY,
  ports: ['reminders', 'drive'],
  command: 'later',
  slash: 'later',
  async run({ reminders, drive }, { when, number }, caller) {
    const put = await reminders.later(caller, when, number ?? undefined)
    // The timer has to know of the new time.
    if (put.ok) drive()
    return put
  },
  undo: ({ result: { number } }) => ({ operation: 'reminders.restore', args: { which: String(number) } }),
  text: (put, view) => view.tell('reminders.put_off', { entry: entryWords(put, view) }),
})
