/**
 * When a question of background work is put to the owner: the next morning of his. Pure: the time is an argument.
 * Called by authorize.ts and the bundle.
 */
import type { PrincipalClass } from '../../task/principal.ts'
import { localHour } from '../../wording/output.ts'

/** Hour of the owner's day at which the bundle comes: once, when he is likely to be up. */
const BUNDLE_HOUR = 8
/** Milliseconds that a bundled question waits after it was told. */
export const BUNDLE_WINDOW = 86_400_000
/** Milliseconds. */
const HOUR = 3_600_000

/** Nobody waits in a chat for what these ask. */
const BACKGROUND: readonly PrincipalClass[] = ['cron', 'webhook']

export function isBackground(of: PrincipalClass): boolean {
  return BACKGROUND.includes(of)
}

/** The next full hour that is the bundle's in this zone; where a day skips it, a day later. */
export function nextBundle(now: number, timeZone: string): number {
  const first = Math.floor(now / HOUR) + 1
  for (let hour = first; hour < first + 50; hour += 1)
    if (localHour(hour * HOUR, timeZone) === BUNDLE_HOUR) return hour * HOUR
  return (first + 24) * HOUR
}
