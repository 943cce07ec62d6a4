/** `reminders.list`: what is coming up, also on a condition. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'
import { JOB_FIELDS } from '../../jobs/operations/shape.ts'
import { ENTRY, entryWords } from './shape.ts'

const CONDITION = record({
  /** Of the job that looks. */
  number: number('internal'),
  title: JOB_FIELDS.title,
  due: maybe(number('internal')),
  looks: oneOf(['once', 'often'], 'internal'),
  chat: text('internal'),
})

export const listReminders = defineOperation({
  name: 'reminders.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: record({ reminders: list(ENTRY), conditions: list(CONDITION) }),
  ports: ['reminders', 'jobs'],
  command: 'reminders',
  slash: 'reminders',
  async run({ reminders, jobs }, _, caller) {
    const conditions = await jobs.conditions(caller)
    return ok({
      reminders: await reminders.list(caller, 'reminder'),
      conditions: conditions.map(({ number: job, title, due, repeat, chat }) => ({
        ...{ number: job, title, due, chat },
        looks: repeat === 'minutes' ? ('often' as const) : ('once' as const),
      })),
    })
  },
  text({ reminders: open, conditions }, view) {
    const lines = open.map((one) => entryWords(one, view))
    const named = conditions.map(({ number: job, title, due, looks }) =>
      view.tell('reminders.condition', {
        when: looks === 'often' || due === null ? '' : `${namedMoment(due, view.timezone, view.now)}: `,
        what: oneLine(title),
        number: job,
      }),
    )
    const head = named.length === 0 ? [] : [view.tell('reminders.conditions')]
    return lines.length + named.length === 0
      ? view.tell('reminders.none')
      : [...lines, ...head, ...named].join('\n')
  },
})
