/**
 * `models.names`: asks every model of a place for its name; a different name is a failure (N-28). Called by the table
 * of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, maybe, oneOf, record, text } from '../../../operations/shape.ts'

/** Milliseconds: models are asked one after another, and a local one may have to be loaded first. */
const WITHIN = 600_000

export const askNames = defineOperation({
  name: 'models.names',
  command: 'whoami',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: {},
  result: list(
    record({
      model: text('internal'),
      locality: oneOf(['home', 'edge', 'cloud'], 'internal'),
      expected: text('internal'),
      answer: maybe(text('internal')),
      passed: flag('internal'),
    }),
  ),
  ports: ['names'],
  within: WITHIN,
  run: async ({ names }) => ok(await names()),
  text: (checks, { tell }) =>
    checks
      .map(({ model, locality, expected, answer, passed }) => {
        const said = `${oneLine(model)} (${locality}): ${oneLine(answer ?? tell('models.silent'))}`
        return passed
          ? tell('models.pass', { said })
          : tell('models.fail', { said, expected: oneLine(expected) })
      })
      .join('\n'),
  fails: (checks) => checks.some(({ passed }) => !passed),
})
