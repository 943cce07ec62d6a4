/**
 * When home dials, beats and gives up: the times of the tunnel and the pause before the next attempt (DESIGN §7, T-06).
 * Pure. Called by tunnel-client.ts.
 */

/** Milliseconds. */
export interface TunnelTiming {
  readonly beat: number
  readonly firstRetry: number
  readonly maxRetry: number
  /** Up this long, the next loss is a new one and starts at `firstRetry` again. */
  readonly stable: number
  /** For the upgrade, and then again for the edge's hello: one that says nothing holds the line for nobody. */
  readonly handshake: number
  /** For running calls when home stops. */
  readonly grace: number
  /** Between attempts when trying again soon cannot help: another version, an unknown device, an unproven edge. */
  readonly safeMode: number
}

export const TUNNEL_TIMING: TunnelTiming = Object.freeze({
  beat: 20_000,
  firstRetry: 500,
  maxRetry: 30_000,
  stable: 10_000,
  handshake: 10_000,
  grace: 3_000,
  safeMode: 300_000,
})

/** Shortest pause, milliseconds: chance may say zero, and a refusing edge must not be hammered. */
const LEAST_RETRY = 20

/**
 * Milliseconds before attempt `attempt` (0 is the first retry): anywhere up to a bound that doubles and is capped, so
 * that many homes do not come back at the same moment ("full jitter").
 */
export function retryDelay(
  attempt: number,
  timing: Pick<TunnelTiming, 'firstRetry' | 'maxRetry'>,
  random: () => number,
): number {
  const most = Math.min(timing.maxRetry, timing.firstRetry * 2 ** Math.min(attempt, 16))
  return Math.max(LEAST_RETRY, most * random())
}
