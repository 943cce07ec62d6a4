/**
 * `audit.last`: what was done last, for the owner: the deeds of the newest message that changed anything, each once, with what
 * was said of it then. Reads only. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, number, record, text } from '../../../operations/shape.ts'
import { momentIn, wordsOf } from './recent.ts'

/** Milliseconds and audit rows in which it is looked for. */
const WITHIN = 24 * 3_600_000
const MOST_LINES = 5_000
/** Of what happened by itself: the deeds of one moment, milliseconds. */
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
        /** What was said of it then, at home; else what kind of thing it was. */
        what: text('sensitive'),
      }),
    ),
  }),
  ports: ['trail'],
  async run({ trail }, _, caller) {
    // The newest first.
    const deeds = trail.lately(WITHIN, MOST_LINES).flatMap((line) => {
      const of = wordsOf(line, trail)
      return of?.group === 'did' || of?.group === 'asked' ? [{ line, what: of.what }] : []
    })
    const [last] = deeds
    if (last === undefined) return ok({ rows: [] })
    // What an operation did belongs to no task: the deeds of a message just before it are another's.
    const own = deeds.filter(
      ({ line }) => line.task === last.line.task && (line.task !== null || last.line.at - line.at < AT_ONCE),
    )
    const lines = own.map(({ line }) => line)
    // The open line names kinds alone.
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
