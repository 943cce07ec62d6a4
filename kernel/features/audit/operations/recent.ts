/**
 * `audit.recent`: recent actions for the owner, by tool, and the owner's decisions; names and codes, never content
 * . Called by the table of operations.
 */

import { ok } from '../../../flow/verdict.ts'
import { option } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import type { TrailPort } from '../../../operations/ports.ts'
import { list, number, record, text } from '../../../operations/shape.ts'
import { numberLocale } from '../../../wording/language.ts'

const HOUR = 3_600_000
/** Audit rows searched, and rows returned. */
const MOST_LINES = 5_000
const MOST_ROWS = 50

type Line = ReturnType<TrailPort['lately']>[number]

export const recentAudit = defineOperation({
  name: 'audit.recent',
  place: 'both',
  from: 'open',
  effect: 'read',
  args: { hours: option('hours', 24) },
  result: list(record({ at: number('internal'), what: text('internal') })),
  ports: ['trail'],
  slash: 'recent',
  async run({ trail }, { hours }) {
    const told = trail.lately(hours * HOUR, MOST_LINES).flatMap((line) => {
      const what = wordsOf(line, trail)
      return what === null ? [] : [{ at: line.at, what }]
    })
    return ok(told.slice(0, MOST_ROWS).reverse())
  },
  text: (rows, { timezone, tell }, { hours }) => {
    if (rows.length === 0) return tell('audit.nothing', { hours })
    const shown = rows.map(({ at, what }) => `- ${momentIn(at, timezone)} ${oneLine(what)}`)
    return [tell('audit.head', { hours }), ...shown].join('\n')
  },
})

/** Null for rows that do not concern the owner: each model call, each delivery. */
function wordsOf({ kind, facts }: Line, trail: TrailPort): string | null {
  const name = (key: string): string => String(facts[key] ?? '')
  const outcome = facts['ok'] === false ? `, which did not work (${name('code')})` : ''
  switch (kind) {
    case 'tool_invoked':
      return `${trail.describe(name('tool')) ?? 'a tool'} (${name('tool')})${outcome}`
    case 'approval_decided':
      return `you answered a question of mine: ${name('decision')}`
    case 'operation_called':
      // The answer to a question has an audit row of its own.
      return name('operation').startsWith('approvals.')
        ? null
        : `you asked for ${name('operation')}${outcome}`
    case 'declassification':
      return `something went to whom it would not have gone without your yes (${name('tool')})`
    case 'grant_used':
      return `a thing that you allow in advance was used (${name('tool')})`
    default:
      return null
  }
}

/** `25 Nov 13:05`. */
function momentIn(at: number, timeZone: string): string {
  const form = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  } as const
  return new Intl.DateTimeFormat(numberLocale(), form).format(at).replace(',', '')
}
