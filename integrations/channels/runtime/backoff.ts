/**
 * Retry delay for home's requests to a channel's service (H-12, H-17): exponential with jitter, and never shorter than the service
 * asked for. Pure. Called by the packages.
 */

/** Milliseconds of the first and of the longest delay. */
const FIRST = 1_000
export const LONGEST = 300_000

/**
 * Delay in milliseconds. `failures`: in a row, at least 1. `chance`: in [0, 1). `retryAfter`: milliseconds, null when the service
 * named none.
 */
export function pauseAfter(failures: number, chance: number, retryAfter: number | null): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** (failures - 1))
  const jittered = Math.round(whole * (1 + chance) * 0.5)
  return retryAfter === null ? jittered : Math.max(jittered, retryAfter)
}
