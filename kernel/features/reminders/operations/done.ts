/** `reminders.done`: ticks off a task. Called by the table of operations. */
import { maybeNamed, rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const doneTask = defineOperation({
  name: 'reminders.done',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: rest(), list: maybeNamed() },
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'done',
  slash: 'done',
  run: ({ reminders }, { which, list: name }, caller) => reminders.end(caller, 'task', which, name),
  undo: ({ result }) => ({
    operation: 'reminders.restore',
    args: { which: result.map(({ number }) => number).join(',') },
  }),
  text: (ended, view) =>
    ended.map((one) => view.tell('reminders.task_ended', { entry: entryWords(one, view) })).join('\n'),
})
