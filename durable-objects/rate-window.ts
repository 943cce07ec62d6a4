/**
 * Counts events in windows of one minute, so that a flood costs a bounded number of lines, wakes or tries. Pure: the caller stores
 * the window. Called by the Worker, by TunnelObject and by the parts of KernelObject.
 */

/** Milliseconds of one window. */
export const MINUTE = 60_000

export interface RateWindow {
  /** Epoch milliseconds of its first event. */
  readonly since: number
  readonly count: number
}

export interface Counted {
  readonly window: RateWindow
  /** Whether this event is one of the first `most`. */
  readonly within: boolean
  /** Events beyond `most` in the window that ended with this one; 0 while the window goes on. */
  readonly leftOut: number
}

/** Counts one event. A clock that was set back also opens a new window. */
export function countOne(known: RateWindow | null, now: number, most: number): Counted {
  const over = known === null || Math.abs(now - known.since) >= MINUTE
  const window = over ? { since: now, count: 1 } : { since: known.since, count: known.count + 1 }
  return { window, within: window.count <= most, leftOut: over ? beyond(known, most) : 0 }
}

/** Events of a window beyond the first `most`. */
export function beyond(window: RateWindow | null, most: number): number {
  return Math.max(0, (window?.count ?? 0) - most)
}
