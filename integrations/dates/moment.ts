/**
 * The moment at which a message is read, one for all of its parts, so that what was read once is not read again (`readDates`). Must not read a clock. Called by
 * message.ts.
 */
import type { Moment } from './read.ts'
import { createZone } from './zone.ts'

/** Of the last message: building a zone costs more than reading one, and an owner has one zone. */
let last: { readonly timezone: string; readonly moment: Moment } = {
  timezone: 'UTC',
  moment: { now: 0, zone: createZone('UTC') },
}

/** `now` is epoch milliseconds, `timezone` an IANA name; an unknown zone counts as UTC. */
export function momentAt(now: number, timezone: string): Moment {
  const zone = timezone === last.timezone ? last.moment.zone : createZone(timezone)
  if (zone !== last.moment.zone || now !== last.moment.now) last = { timezone, moment: { now, zone } }
  return last.moment
}
