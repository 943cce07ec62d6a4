/**
 * `quiet.missed`: lists what was sent, or should have been sent, while the owner was away. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, number, record } from '../../../operations/shape.ts'
import { JOB_FIELDS, RUN } from '../../jobs/operations/shape.ts'
import type { RunView } from '../../jobs/port.ts'
import { runLine } from '../../jobs/shown.ts'
import { ENTRY, entryWords } from '../../reminders/operations/shape.ts'

/** How far back it looks, in milliseconds: as long as a reminder can be answered. */
const LOOKED_BACK = 7 * 86_400_000
/** Maximum audit rows in which expired cards are counted. */
const MOST_ROWS = 2_000
/** Maximum runs of jobs that are named. */
const MOST_RUNS = 10

export const listMissed = defineOperation({
  name: 'quiet.missed',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: {},
  result: record({
    reminders: list(ENTRY),
    runs: list(record({ title: JOB_FIELDS.title, zone: JOB_FIELDS.zone, run: RUN })),
    waiting: number('internal'),
    expired: number('internal'),
  }),
  ports: ['reminders', 'jobs', 'approvals', 'trail'],
  command: 'missed',
  slash: 'missed',
  async run({ reminders, jobs, approvals, trail }, _, caller) {
    const came = await reminders.unanswered(caller, LOOKED_BACK)
    const runs = await jobs.untold(caller, LOOKED_BACK)
    const cards = await approvals.list(caller.principal)
    const expired = trail
      .lately(LOOKED_BACK, MOST_ROWS)
      .filter(({ kind, facts }) => kind === 'approval_decided' && facts['decision'] === 'expired')
    return ok({
      ...{ reminders: came, runs: runs.slice(-MOST_RUNS) },
      ...{ waiting: cards.length, expired: expired.length },
    })
  },
  text({ reminders, runs, waiting, expired }, view) {
    const { tell, now } = view
    const lines = [
      ...(reminders.length === 0
        ? []
        : [tell('quiet.came'), ...reminders.map((one) => entryWords(one, view))]),
      ...(runs.length === 0 ? [] : [tell('quiet.untold')]),
      ...runs.map(({ title, zone, run }) => `- ${title}: ${runLine(run as RunView, zone, now)}`),
      ...(waiting === 0 ? [] : [tell('quiet.waiting', { count: waiting })]),
      ...(expired === 0 ? [] : [tell('quiet.expired', { count: expired })]),
    ]
    return lines.length === 0 ? tell('quiet.nothing') : lines.join('\n')
  },
})
