/**
 * `tools.off`: switches a connected service off, so that nothing uses it; its credential is kept (L-02). Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, number, record } from '../../../operations/shape.ts'
import { SERVICE_FIELDS } from './shape.ts'

export const switchToolOff = defineOperation({
  name: 'tools.off',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { which: rest() },
  result: record({ ...SERVICE_FIELDS, jobs: list(number('internal')) }),
  ports: ['toolSwitch'],
  async run({ toolSwitch }, { which }) {
    const done = toolSwitch.off(which)
    return done.ok ? ok({ ...done.value, jobs: [...done.value.jobs] }) : done
  },
  state: async ({ toolSwitch }, { which }) => {
    const found = toolSwitch.find(which)
    return found === null
      ? { service: null, state: null }
      : { service: toolSwitch.auditName(found.service), state: found.state }
  },
  // `tools.on` asks by a card of its own.
  undo: ({ before }) => ({ operation: 'tools.on', args: { which: String(before['service']) } }),
  text: ({ title, jobs }, { tell }) =>
    [
      tell('tools.switched_off', { title }),
      ...(jobs.length === 0 ? [] : [tell('tools.jobs_wait', { jobs: jobs.join(', '), title })]),
    ].join('\n'),
})
