/** `scheduled.list`: lists the calls that wait for their time. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { SCHEDULED, scheduledWords } from './shape.ts'

export const listScheduled = defineOperation({
  name: 'scheduled.list',
  place: 'home',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: {},
  result: list(SCHEDULED),
  ports: ['scheduled'],
  command: 'scheduled',
  slash: 'scheduled',
  run: async ({ scheduled }, _, caller) => ok(await scheduled.list(caller)),
  text: (waiting, view) =>
    waiting.length === 0
      ? view.tell('scheduled.none')
      : waiting.map((one) => scheduledWords(one, view)).join('\n'),
})
