/**
 * Access check of one principal's object: its own principal only (B-10, R-01), while the edge is not locked (T-10) and no import is
 * incomplete. Must not decide what the principal may do. Called by PrincipalObject and part-desk.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Claim } from './claim.ts'
import type { EdgeLock } from './lock.ts'

export interface Gate extends Pick<Claim, 'own'> {
  /**
   * Call before anything that reads or writes sealed rows. Refusals: principal_not_allowed, storage_failed (an import is
   * incomplete), edge_locked.
   */
  open(principal: string): Promise<Result<true>>
  /** `open`, then the result of `answer`. */
  opened<T>(principal: string, answer: () => T | Promise<T>): Promise<Result<T>>
}

export interface GateInput {
  readonly claim: Claim
  readonly lock: EdgeLock
  /** Whether an import has begun and not ended. */
  readonly isHalf: () => boolean
}

export function createGate({ claim, lock, isHalf }: GateInput): Gate {
  const open: Gate['open'] = async (principal) => {
    const own = claim.own(principal)
    if (!own.ok) return own
    await lock.join()
    // No answer comes from an incomplete import; the caller may retry.
    if (isHalf()) return err('storage_failed', { why: 'import' })
    return lock.isLocked() ? err('edge_locked') : own
  }
  return {
    own: claim.own,
    open,
    async opened(principal, answer) {
      const own = await open(principal)
      return own.ok ? ok(await answer()) : own
    },
  }
}
