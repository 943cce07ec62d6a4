/** `reminders.tasks`: the task list. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const listTasks = defineOperation({
  name: 'reminders.tasks',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'tasks',
  slash: 'tasks',
  run: async ({ reminders }, _, caller) => ok(await reminders.list(caller, 'task')),
  text: (open, view) =>
    open.length === 0
      ? view.tell('reminders.none_open')
      : open.map((one) => entryWords(one, view)).join('\n'),
})
