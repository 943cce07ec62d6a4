/**
 * How long home waits before it asks a channel's service again (H-12, H-17): each time twice as long, never in step with others, and
 * never sooner than it asked for. Pure. Called by the packages.
 */

/** Milliseconds. */
const FIRST = 1_000
export const LONGEST = 300_000

/**
 * `failures`: in a row, one at least. `chance`: from 0 to below 1. `retryAfter`: milliseconds, null where the service said nothing.
 * Milliseconds.
 */
export function pauseAfter(failures: number, chance: number, retryAfter: number | null): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** (failures - 1))
  const jittered = Math.round(whole * (1 + chance) * 0.5)
  return retryAfter === null ? jittered : Math.max(jittered, retryAfter)
}
