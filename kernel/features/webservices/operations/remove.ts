/** `webservices.remove`: removes a host or a saved request, at once. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { shown, WEBSERVICE } from './shape.ts'

export const removeWebservice = defineOperation({
  name: 'webservices.remove',
  place: 'home',
  effect: 'write',
  args: { what: { ...rest(), slot: String.raw`[^\s<>"]{1,300}(?: [\p{L}\d]{1,40}){0,5}` } },
  result: WEBSERVICE,
  ports: ['webservices'],
  async run({ webservices }, { what }, { principal }) {
    const removed = webservices.remove(principal, what)
    return removed.ok ? ok(shown(removed.value)) : removed
  },
  state: async ({ webservices }) => ({ named: webservices.list().length }),
  undo: ({ result: { id } }) => ({ operation: 'webservices.restore', args: { id } }),
  text: ({ name, secret }, { tell }) =>
    [
      tell('webservices.removed', { name: oneLine(name) }),
      ...(secret === null ? [] : [tell('webservices.key_stays', { secret })]),
    ].join('\n'),
})
