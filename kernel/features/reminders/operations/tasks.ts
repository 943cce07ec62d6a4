/** `reminders.tasks`: the task list, or the one with a name. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { maybeRest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { rowsOn } from '../list-rows.ts'
import { ENTRY, listsWords } from './shape.ts'

export const listTasks = defineOperation({
  name: 'reminders.tasks',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: { list: maybeRest() },
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'tasks',
  slash: 'tasks',
  run: async ({ reminders }, { list: name }, caller) =>
    ok(rowsOn(await reminders.list(caller, 'task'), name)),
  text: (open, view, { list: name }) =>
    open.length === 0 ? view.tell('reminders.none_open') : listsWords(open, name, view),
})
