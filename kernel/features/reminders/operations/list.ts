/** `reminders.list`: what is coming up. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

export const listReminders = defineOperation({
  name: 'reminders.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: list(ENTRY),
  ports: ['reminders'],
  command: 'reminders',
  slash: 'reminders',
  run: async ({ reminders }, _, caller) => ok(await reminders.list(caller, 'reminder')),
  text: (open, view) =>
    open.length === 0 ? view.tell('reminders.none') : open.map((one) => entryWords(one, view)).join('\n'),
})
