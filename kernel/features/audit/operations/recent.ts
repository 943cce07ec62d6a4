/**
 * `audit.recent`: what was done lately, for the owner: actions, operations and decisions, each kind once with how often and when
 * last; words for people and no content. Called by the table of operations.
 */

import { ok } from '../../../flow/verdict.ts'
import { maybeOption, option } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import type { TrailPort } from '../../../operations/ports.ts'
import { list, maybe, number, oneOf, record, text } from '../../../operations/shape.ts'
import { isReasonCode } from '../../../reasons.ts'
import { numberLocale } from '../../../wording/language.ts'
import { tell, wordsFor } from '../../../wording/words.ts'

const HOUR = 3_600_000
/** Maximum audit rows that are read. */
const MOST_LINES = 20_000
/** Kinds on one page: what fits a phone. */
const ROWS_A_PAGE = 15
/** Groups in the order in which they are shown. */
const GROUPS = ['did', 'asked', 'decided', 'looked'] as const

type Line = ReturnType<TrailPort['lately']>[number]
type Group = (typeof GROUPS)[number]

export const recentAudit = defineOperation({
  name: 'audit.recent',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: { hours: option('hours', 24), page: maybeOption('count') },
  result: record({
    /** Time of the oldest row that was read, epoch milliseconds; null if the whole requested time was read. */
    since: maybe(number('internal')),
    rows: list(
      record({
        at: number('internal'),
        times: number('internal'),
        group: oneOf(GROUPS, 'internal'),
        /** The kind of change, and at home what the answer said about it. */
        what: text('sensitive'),
      }),
    ),
  }),
  ports: ['trail'],
  slash: 'recent',
  async run({ trail }, { hours }, caller) {
    const lines = trail.lately(hours * HOUR, MOST_LINES)
    // The open line shows only kinds of changes.
    const said = caller.door === 'open' ? undefined : await trail.told?.(caller, lines)
    const rows = new Map<string, Worded & { at: number; times: number }>()
    // Newest first.
    for (const line of lines) {
      const of = wordsOf(line, trail)
      if (of === null) continue
      const what = of.what + (said?.(line) ?? '')
      const row = rows.get(what)
      if (row === undefined) rows.set(what, { at: line.at, times: 1, ...of, what })
      else row.times += 1
    }
    const since = lines.length < MOST_LINES ? null : (lines.at(-1)?.at ?? null)
    const inOrder = GROUPS.flatMap((group) => [...rows.values()].filter((row) => row.group === group))
    return ok({ since, rows: inOrder })
  },
  text: ({ since, rows }, { timezone, tell: say }, { hours, page }) => {
    if (rows.length === 0) return say('audit.nothing', { hours })
    const from = ((page ?? 1) - 1) * ROWS_A_PAGE
    const shown = rows.slice(from, from + ROWS_A_PAGE)
    const left = rows.length - from - shown.length
    const head =
      since === null
        ? say('audit.head', { hours })
        : say('audit.head_since', { at: momentIn(since, timezone) })
    const parts = GROUPS.flatMap((group) => {
      const own = shown.filter((row) => row.group === group)
      const told = own.map(({ at, times, what }) => {
        const when = say(times === 1 ? 'audit.once' : 'audit.often', { times, at: momentIn(at, timezone) })
        return `- ${oneLine(what)}, ${when}`
      })
      return own.length === 0 ? [] : [say(`audit.group_${group}`), ...told]
    })
    const more = left > 0 ? [say('audit.more', { left, page: (page ?? 1) + 1 })] : []
    return [head, ...parts, ...more].join('\n')
  },
})

interface Worded {
  readonly group: Group
  readonly what: string
}

/** Null for rows that do not concern the owner, such as model calls and deliveries. */
export function wordsOf({ kind, facts }: Line, trail: TrailPort): Worded | null {
  const name = (key: string): string => String(facts[key] ?? '')
  const code = name('code')
  const failed =
    facts['ok'] === false
      ? ` (${tell('audit.failed', { why: isReasonCode(code) ? wordsFor(code).replace(/[.!]$/, '') : tell('audit.unknown') })})`
      : ''
  const action = (key: string): string => trail.describe(name(key)) ?? tell('audit.some_tool')
  switch (kind) {
    case 'tool_invoked':
      // A lookup for a card, which nobody requested, is left out; the call that it was for has a row of its own.
      if (facts['capability'] === undefined && !trail.writes(name('tool')) && failed === '') return null
      return {
        group: trail.writes(name('tool')) ? 'did' : 'looked',
        what: `${action('tool')}${failed}`,
      }
    case 'approval_decided':
      return decidedWords(name('decision'))
    case 'operation_called':
      // Left out: an answer to a card has an `approval_decided` row, and a change by a card has the row of its request.
      return name('operation').startsWith('approvals.') || facts['card'] !== undefined
        ? null
        : {
            group: 'asked',
            what: `${trail.asks(name('operation')) ?? tell('audit.some_tool')}${failed}`,
          }
    case 'declassification':
      return { group: 'decided', what: tell('audit.let_out', { what: action('tool') }) }
    case 'grant_used':
      return { group: 'decided', what: tell('audit.allowed_before', { what: action('tool') }) }
    default:
      return null
  }
}

/** Null for other decisions: a question that was changed or withdrawn has rows of its own. */
function decidedWords(decision: string): Worded | null {
  const of = { group: 'decided' } as const
  if (decision === 'approve' || decision === 'approved') return { ...of, what: tell('audit.yes') }
  if (decision === 'deny' || decision === 'denied') return { ...of, what: tell('audit.no') }
  return decision === 'expired' ? { ...of, what: tell('audit.ran_out') } : null
}

/** Such as `25 Nov 13:05`. */
export function momentIn(at: number, timeZone: string): string {
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
