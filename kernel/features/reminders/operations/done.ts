/** `reminders.done`: ticks off a task. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const doneTask = defineOperation({
  name: 'reminders.done',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: rest() },
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'done',
  slash: 'done',
  run: ({ reminders }, { which }, caller) => reminders.end(caller, 'task', which),
  undo: ({ result }) => ({
    operation: 'reminders.restore',
    args: { which: result.map(({ number }) => number).join(',') },
  }),
  text: (ended, view) =>
    ended.map((one) => view.tell('reminders.task_ended', { entry: entryWords(one, view) })).join('\n'),
})
