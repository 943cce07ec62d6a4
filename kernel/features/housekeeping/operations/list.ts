/**
 * `housekeeping.list`: lists home's own scheduled work, when it runs, and the results (G-24). Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { maybeWord } from '../../../operations/argument.ts'
import { defineOperation, type Telling } from '../../../operations/operation.ts'
import { list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { isReasonCode } from '../../../reasons.ts'
import { namedMoment } from '../../../wording/output.ts'
import { wordsFor } from '../../../wording/words.ts'
import { RUN_OUTCOMES } from '../../jobs/port.ts'
import { CHORE_NAMES } from '../chores.ts'

const RUN = record({
  scheduled: number('internal'),
  started: number('internal'),
  outcome: oneOf(RUN_OUTCOMES, 'internal'),
  code: maybe(text('internal')),
  attempt: number('internal'),
})
const CHORE = record({
  name: oneOf(CHORE_NAMES, 'internal'),
  cron: text('internal'),
  next: maybe(number('internal')),
  runs: list(RUN),
})

export const listHousekeeping = defineOperation({
  name: 'housekeeping.list',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: { name: maybeWord() },
  result: record({ chores: list(CHORE) }),
  ports: ['housekeeping'],
  slash: 'housekeeping',
  async run({ housekeeping }, { name }) {
    const chores = housekeeping().filter((one) => name === null || one.name === name)
    if (chores.length === 0) return err('tool_arguments_invalid', { path: 'name' })
    return ok({
      chores: chores.map(({ runs, ...one }) => ({
        ...one,
        runs: runs.map(({ scheduled, started, outcome, code, attempt }) => ({
          ...{ scheduled, started, outcome, code, attempt },
        })),
      })),
    })
  },
  text: ({ chores }, view) =>
    [...chores.map((one) => choreWords(one, view)), view.tell('housekeeping.kept')].join('\n'),
})

function choreWords({ name, next, runs }: ValueOf<typeof CHORE>, view: Telling): string {
  const { tell, timezone, now } = view
  const last = runs.map((run) => runWords(run, view)).join('; ')
  return [
    tell(`housekeeping.${name}`),
    ...(next === null ? [] : [tell('housekeeping.next', { at: namedMoment(next, timezone, now) })]),
    last === '' ? tell('housekeeping.not_yet') : tell('housekeeping.last', { runs: last }),
  ].join(' ')
}

function runWords(
  { scheduled, started, outcome, code, attempt }: ValueOf<typeof RUN>,
  { tell, timezone, now }: Telling,
): string {
  const why = code !== null && isReasonCode(code) ? wordsFor(code).replace(/\.$/, '') : ''
  const at = namedMoment(scheduled, timezone, now)
  if (outcome === 'missed') return tell('housekeeping.run_missed', { at })
  if (code === 'credential_missing') return tell('housekeeping.run_unset', { at })
  if (outcome === 'failed') return tell('housekeeping.run_failed', { at, why, attempt })
  if (why !== '') return tell('housekeeping.run_partly', { at, why })
  return tell(started - scheduled > LATE ? 'housekeeping.run_late' : 'housekeeping.run_done', { at })
}

/** Milliseconds. */
const LATE = 900_000
