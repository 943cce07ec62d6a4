/**
 * When the edge is to get another copy (DESIGN §6): some minutes after something changed, and once a day in any case. Pure.
 * Called by job.ts.
 */

/** Milliseconds without a change before a copy begins: a conversation is copied once, not with every message. */
export const SETTLED = 120_000
/** Milliseconds after which a home that never settles is copied all the same: this much may be lost with the box. */
export const AT_LATEST = 600_000
/** Milliseconds after which a copy is made though nothing changed: an edge that lost the last one is noticed. */
export const DAILY = 86_400_000
/** Milliseconds between tries after a failure: an edge that is down is not asked every minute. */
export const RETRY_AFTER = 600_000

export interface CopySituation {
  readonly now: number
  /** When the newest copy began, or null before the first. */
  readonly copiedAt: number | null
  /** When a store changed last, and when the first change after the newest copy was seen; null when there was none. */
  readonly changedAt: number
  readonly dirtySince: number | null
  /** When the last try failed, or null. */
  readonly failedAt: number | null
}

/** Epoch milliseconds of the next copy; in the past when it is due. */
export function copyDueAt({ now, copiedAt, changedAt, dirtySince, failedAt }: CopySituation): number {
  // A date of the future was written while the clock was wrong: believed, it would put the next copy off until then.
  const last = copiedAt === null || copiedAt > now ? 0 : copiedAt
  const settled =
    dirtySince === null ? Number.POSITIVE_INFINITY : Math.min(changedAt + SETTLED, dirtySince + AT_LATEST)
  const due = Math.min(settled, last + DAILY)
  return failedAt === null ? due : Math.max(due, failedAt + RETRY_AFTER)
}
