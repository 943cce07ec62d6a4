/** `jobs.enable`: proposes a job. Sends an approval card; turns nothing on itself. Called by the table of operations. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, maybe, record, text } from '../../../operations/shape.ts'

export const enableJob = defineOperation({
  name: 'jobs.enable',
  place: 'home',
  effect: 'widen',
  args: { words: rest() },
  result: record({
    approval: maybe(id('internal')),
    needs: maybe(record({ service: text('internal'), title: text('internal') })),
  }),
  ports: ['jobs'],
  command: 'job',
  slash: 'job',
  run: ({ jobs }, { words }, caller) => jobs.propose(caller, words),
  text({ approval, needs }, { cardBeside, tell, say }) {
    if (needs !== null) return tell('jobs.needs', needs)
    if (cardBeside || approval === null) return ''
    return tell('jobs.proposed', { yes: say('approve', approval), no: say('deny', approval) })
  },
})
