/**
 * `usage.show`: cost of the models of a place, by day, purpose, model and task (P-24). Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { option } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text } from '../../../operations/shape.ts'
import { PLAN_COUNTS } from '../plan.ts'
import { USAGE_DAYS, usageText } from '../usage-report.ts'

/** Maximum rows of one list. */
const ROWS = 20

const SUMS = list(
  record({
    name: maybe(text('internal')),
    calls: number('internal'),
    failed: number('internal'),
    input: number('internal'),
    output: number('internal'),
    cacheRead: number('internal'),
    cacheWritten: number('internal'),
    cost: number('internal'),
    unpriced: number('internal'),
  }),
)

const PLAN = record({
  source: text('internal'),
  asOf: text('internal'),
  carries: maybe(number('internal')),
  binds: maybe(oneOf(PLAN_COUNTS, 'internal')),
  counted: number('internal'),
  today: number('internal'),
  limits: list(
    record({
      of: oneOf(PLAN_COUNTS, 'internal'),
      perDay: number('internal'),
      today: number('internal'),
      each: number('internal'),
    }),
  ),
})

export const showUsage = defineOperation({
  name: 'usage.show',
  command: 'usage',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  each: true,
  args: { days: option('days', USAGE_DAYS.usual) },
  result: record({
    place: oneOf(['home', 'edge'], 'internal'),
    from: text('internal'),
    currency: text('internal'),
    by: record({ day: SUMS, task: SUMS, purpose: SUMS, model: SUMS }),
    today: record({ tokens: number('internal'), cost: number('internal') }),
    caps: record({
      tokens: maybe(number('internal')),
      cost: maybe(number('internal')),
      task: maybe(number('internal')),
    }),
    plan: maybe(PLAN),
  }),
  ports: ['usage'],
  run: async ({ usage }, { days }) => ok(await usage(Math.min(days, USAGE_DAYS.most))),
  text: (report, { tell }) => usageText(report, ROWS, tell),
})
