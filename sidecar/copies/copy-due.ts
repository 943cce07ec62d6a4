/** Decides when to send the edge another copy (DESIGN §6): some minutes after a change, and at least once a day. Pure. Called by job.ts. */

/**
 * Milliseconds without a change before a copy starts, so that a conversation is copied once and not with every message.
 */
export const SETTLED = 120_000
/** Milliseconds after the first change until a copy is made in any case. This much may be lost with the machine. */
export const AT_LATEST = 600_000
/** Milliseconds until a copy is made without any change, to detect an edge that lost the last one. */
export const DAILY = 86_400_000
/** Milliseconds until a retry after a failure, so that an edge that is down is not called every minute. */
export const RETRY_AFTER = 600_000

export interface CopySituation {
  readonly now: number
  /** When the newest copy was started, or null before the first. */
  readonly copiedAt: number | null
  /** When a store last changed, and when the first change after the newest copy was seen; null if there was none. */
  readonly changedAt: number
  readonly dirtySince: number | null
  /** When the last attempt failed, or null. */
  readonly failedAt: number | null
}

/** Time of the next copy (epoch milliseconds); in the past if it is due. */
export function copyDueAt({ now, copiedAt, changedAt, dirtySince, failedAt }: CopySituation): number {
  // A time in the future was written by a wrong clock and would postpone the next copy until then.
  const last = copiedAt === null || copiedAt > now ? 0 : copiedAt
  const settled =
    dirtySince === null ? Number.POSITIVE_INFINITY : Math.min(changedAt + SETTLED, dirtySince + AT_LATEST)
  const due = Math.min(settled, last + DAILY)
  return failedAt === null ? due : Math.max(due, failedAt + RETRY_AFTER)
}
