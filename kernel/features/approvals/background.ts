/**
 * When a question of background work is delivered to the owner: the next morning in their time zone. Pure: the
 * time is an argument. Called by authorize.ts and bundle.ts.
 */
import type { PrincipalClass } from '../../task/principal.ts'
import { localHour } from '../../wording/output.ts'

/** Local hour at which the bundle is sent: once a day, when the owner is likely awake. */
const BUNDLE_HOUR = 8
/** Milliseconds that a bundled question waits after delivery. */
export const BUNDLE_WINDOW = 86_400_000
/** Milliseconds. */
const HOUR = 3_600_000

/** Principals for whose tasks nobody waits in a chat. */
const BACKGROUND: readonly PrincipalClass[] = ['cron', 'webhook']

export function isBackground(of: PrincipalClass): boolean {
  return BACKGROUND.includes(of)
}

/** Next full hour equal to `BUNDLE_HOUR` in this zone; one day later if a clock change skips it. */
export function nextBundle(now: number, timeZone: string): number {
  const first = Math.floor(now / HOUR) + 1
  for (let hour = first; hour < first + 50; hour += 1)
    if (localHour(hour * HOUR, timeZone) === BUNDLE_HOUR) return hour * HOUR
  return (first + 24) * HOUR
}
