/** Result of a change of the zone: as data and in words. Pure. Called by the operations on it. */
import type { Telling } from '../../../operations/operation.ts'
import { maybe, number, record, text, type ValueOf } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'

export const MOVED = record({
  zone: text('internal'),
  until: maybe(number('internal')),
  before: maybe(record({ zone: text('internal'), until: maybe(number('internal')) })),
  jobs: number('internal'),
  reminders: number('internal'),
})

export function movedWords({ zone, until, jobs, reminders }: ValueOf<typeof MOVED>, view: Telling): string {
  const { tell, now } = view
  return [
    tell('zone.now', { zone, moment: namedMoment(now, zone, now) }),
    ...(until === null ? [] : [tell('zone.until', { when: namedMoment(until, zone, now) })]),
    tell('zone.follow', { jobs, reminders }),
  ].join('\n')
}

/** The call that undoes the change. */
export function backTo({ before }: ValueOf<typeof MOVED>) {
  if (before === null) return { operation: 'zone.back', args: {} }
  const { zone, until } = before
  const args = { place: zone, ...(until !== null && { until: new Date(until).toISOString() }) }
  return { operation: 'zone.set', args }
}
