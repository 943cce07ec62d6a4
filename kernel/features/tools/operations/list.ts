/**
 * `tools.list`: lists which services are connected, switched off, or could be connected (L-02). Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record } from '../../../operations/shape.ts'
import { SERVICE_FIELDS } from './shape.ts'

export const listTools = defineOperation({
  name: 'tools.list',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({ services: list(record(SERVICE_FIELDS)) }),
  ports: ['toolSwitch'],
  slash: 'tools',
  run: async ({ toolSwitch }) => ok({ services: [...toolSwitch.list()] }),
  text: ({ services }, { tell }) =>
    services.length === 0
      ? tell('tools.none')
      : services
          .map(({ service, title, state }) => tell(`tools.line_${state}`, { service, title }))
          .join('\n'),
})
