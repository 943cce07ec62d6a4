/**
 * `audit.last`: what was done last, for the owner: each change of the newest message that changed anything, with what the answer
 * said about it. Reads only. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, number, record, text } from '../../../operations/shape.ts'
import { momentIn, wordsOf } from './recent.ts'

/** How far back the audit is searched, in milliseconds, and the maximum number of rows. */
const WITHIN = 24 * 3_600_000
const MOST_LINES = 5_000
/** Changes without a task count as one event within this time, in milliseconds. */
const AT_ONCE = 5_000

export const lastAudit = defineOperation({
  name: 'audit.last',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: {},
  result: record({
    rows: list(
      record({
        at: number('internal'),
        /** At home, what the answer said about it; otherwise the kind of change. */
        what: text('sensitive'),
      }),
    ),
  }),
  ports: ['trail'],
  async run({ trail }, _, caller) {
    // Newest first.
    const deeds = trail.lately(WITHIN, MOST_LINES).flatMap((line) => {
      const of = wordsOf(line, trail)
      return of?.group === 'did' || of?.group === 'asked' ? [{ line, what: of.what }] : []
    })
    const [last] = deeds
    if (last === undefined) return ok({ rows: [] })
    // An operation belongs to no task, so its rows are grouped by time; changes of an earlier message are left out.
    const own = deeds.filter(
      ({ line }) => line.task === last.line.task && (line.task !== null || last.line.at - line.at < AT_ONCE),
    )
    const lines = own.map(({ line }) => line)
    // The open line shows only kinds of changes.
    const said = caller.door === 'open' ? undefined : await trail.told?.(caller, lines)
    const rows = new Map<string, number>()
    for (const { line, what } of own.toReversed()) {
      const told = line.kind === 'tool_invoked' && line.facts['ok'] !== false ? (said?.(line) ?? '') : ''
      rows.set(told === '' ? what : told.replace(/^: /, ''), line.at)
    }
    return ok({ rows: [...rows].map(([what, at]) => ({ what, at })) })
  },
  text: ({ rows }, { timezone, tell: say }) =>
    rows.length === 0
      ? say('audit.nothing_last')
      : [
          say('audit.head_last'),
          ...rows.map(({ at, what }) => `- ${oneLine(what)}, ${momentIn(at, timezone)}`),
        ].join('\n'),
})
