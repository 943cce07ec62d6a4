/**
 * Who gets into one principal's object, and when: himself (B-10, R-01), while the edge is not locked (T-10) and the object is
 * whole. Must not decide what he may do there. Called by PrincipalObject and part-desk.ts.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Claim } from './claim.ts'
import type { EdgeLock } from './lock.ts'

export interface Gate extends Pick<Claim, 'own'> {
  /**
   * His own object, and an edge that is not locked: whatever reads or writes what is sealed asks here first. Refusals:
   * principal_not_allowed, storage_failed (an import has begun and not ended), edge_locked.
   */
  open(principal: string): Promise<Result<true>>
  /** The same, and then the answer to it. */
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
    // Half an import is nothing to answer from: whoever asks now may ask again.
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
