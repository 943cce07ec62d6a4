/** How quiet hours are shown: as data and in words. Pure. Called by the operations on them. */
import type { Facts, Telling } from '../../../operations/operation.ts'
import { maybe, number, record, type ValueOf } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'
import { clockOf } from '../../reminders/repeat.ts'

export const QUIET_FIELDS = {
  hours: maybe(record({ from: number('internal'), to: number('internal') })),
  until: maybe(number('internal')),
} as const

export const QUIET = record(QUIET_FIELDS)

export function quietWords({ hours, until }: ValueOf<typeof QUIET>, view: Telling): string {
  const { tell, timezone, now } = view
  const lines = [
    ...(hours === null ? [] : [tell('quiet.hours', { from: clockOf(hours.from), to: clockOf(hours.to) })]),
    ...(until === null ? [] : [tell('quiet.until', { when: namedMoment(until, timezone, now) })]),
  ]
  return lines.length === 0 ? tell('quiet.none') : [...lines, tell('quiet.what')].join('\n')
}

/** Words that set these quiet hours again. */
export function quietSaid({ hours, until }: ValueOf<typeof QUIET>): string {
  const said = [
    ...(hours === null ? [] : [`${clockOf(hours.from)}-${clockOf(hours.to)}`]),
    ...(until === null ? [] : [`until ${new Date(until).toISOString()}`]),
  ]
  return said.length === 0 ? 'off' : said.join(' ')
}

/** Facts for the audit row: minutes after midnight, and a moment. */
export function quietFacts({ hours, until }: ValueOf<typeof QUIET>): Facts {
  return { from: hours?.from ?? null, to: hours?.to ?? null, until }
}
