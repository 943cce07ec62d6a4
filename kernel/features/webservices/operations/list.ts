/** `webservices.list`: lists the hosts and requests that the owner named. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record } from '../../../operations/shape.ts'
import { lineOf, shown, WEBSERVICE } from './shape.ts'

export const listWebservices = defineOperation({
  name: 'webservices.list',
  place: 'home',
  effect: 'read',
  args: {},
  result: record({ webservices: list(WEBSERVICE) }),
  ports: ['webservices'],
  run: async ({ webservices }) => ok({ webservices: webservices.list().map(shown) }),
  text: ({ webservices }, view) =>
    webservices.length === 0
      ? view.tell('webservices.none')
      : webservices.map((one) => lineOf(one, view)).join('\n'),
})
