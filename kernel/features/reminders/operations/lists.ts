/** `reminders.lists`: the lists with a name, and how much is open on each. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, maybe, number, record, text } from '../../../operations/shape.ts'

const LIST = record({
  /** Null: the owner's own. */
  name: maybe(text('sensitive')),
  open: number('internal'),
})

export const listLists = defineOperation({
  name: 'reminders.lists',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: list(LIST),
  ports: ['reminders'],
  command: 'lists',
  slash: 'lists',
  async run({ reminders }, _, caller) {
    const open = await reminders.list(caller, 'task')
    const names = [...new Set(open.map(({ list: name }) => name))]
    return ok(names.map((name) => ({ name, open: open.filter((one) => one.list === name).length })))
  },
  text: (lists, { tell }) =>
    lists.length === 0
      ? tell('reminders.none_open')
      : lists
          .map(({ name, open }) =>
            name === null
              ? tell('reminders.own_count', { open })
              : tell('reminders.list_count', { list: name, open }),
          )
          .join('\n'),
})
