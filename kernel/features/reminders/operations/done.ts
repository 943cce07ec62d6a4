/** `reminders.done`: ticks off a task. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, entryWords } from './shape.ts'

export const doneTask = defineOperation({
  name: 'reminders.done',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { number: countWord() },
  result: ENTRY,
  ports: ['reminders'],
  command: 'done',
  slash: 'done',
  run: ({ reminders }, { number }, caller) => reminders.end(caller, 'task', number),
  text: (ended, view) => view.tell('reminders.task_ended', { entry: entryWords(ended, view) }),
})
