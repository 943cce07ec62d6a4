/** Timing of the tunnel: beats, timeouts and retry delays (DESIGN §7, T-06). Pure. Called by tunnel-client.ts. */

/** Milliseconds. */
export interface TunnelTiming {
  readonly beat: number
  readonly firstRetry: number
  readonly maxRetry: number
  /** A connection that was up this long resets the back-off to `firstRetry`. */
  readonly stable: number
  /** Limit for the upgrade, and again for the edge's hello: a silent edge must not hold the connection. */
  readonly handshake: number
  /** Time for running calls when home stops. */
  readonly grace: number
  /** Retry delay if an early retry cannot help: another version, an unknown device, an unproven edge. */
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

/** Shortest delay, milliseconds: the random delay may be zero, and a refusing edge must not be flooded. */
const LEAST_RETRY = 20

/**
 * Milliseconds before attempt `attempt` (0 is the first retry): uniform up to a bound that doubles and is capped ("full
 * jitter"), so that many homes do not reconnect at the same time.
 */
export function retryDelay(
  attempt: number,
  timing: Pick<TunnelTiming, 'firstRetry' | 'maxRetry'>,
  random: () => number,
): number {
  const most = Math.min(timing.maxRetry, timing.firstRetry * 2 ** Math.min(attempt, 16))
  return Math.max(LEAST_RETRY, most * random())
}
