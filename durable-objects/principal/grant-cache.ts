/**
 * Cache of home's grants in one stranger's object (F-13): fetched before a run when none is valid, replaced when they change. In
 * memory only; without a valid grant nothing is disclosed. Must not decide what a grant covers. Called by PrincipalObject.
 */
import type { FieldGrant } from '../../kernel/flow/grant.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { KernelCalls } from '../../worker/env.ts'
import type { HeldGrants } from '../grants.ts'
import { KERNEL_NAME } from '../names.ts'
import type { Claim } from './claim.ts'

export interface GrantCache {
  /** Grants that are valid now. */
  granted(): readonly FieldGrant[]
  /** Replaces the cache by what home says now. */
  told(held: HeldGrants): void
  /** Called before a run. Never throws: when the fetch fails there are no grants. */
  refresh(): Promise<void>
}

export interface GrantCacheInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Null where no grant applies, as for the owner. */
  readonly ask: () => Promise<HeldGrants | null>
}

/** Fetches from KernelObject the grants for the object of this name. */
export function askForGrants(claim: Claim, kernel: KernelCalls<'grantsFor'>): GrantCacheInput['ask'] {
  return async () => {
    const isStranger = (claim.known() ?? OWNER_PRINCIPAL) !== OWNER_PRINCIPAL
    return isStranger ? kernel.getByName(KERNEL_NAME).grantsFor(claim.name()) : null
  }
}

/** Milliseconds between two fetches when the first returned no valid grants: KernelObject pushes them when home returns. */
const ASK_AGAIN = 60_000

export function createGrantCache({ now, ask }: GrantCacheInput): GrantCache {
  let held: HeldGrants | null = null
  let asks = Number.NEGATIVE_INFINITY
  const counts = (grants: HeldGrants | null): grants is HeldGrants => grants !== null && now() < grants.until
  return {
    granted: () => (counts(held) ? held.grants : []),
    told(grants) {
      held = grants
    },
    async refresh() {
      if (counts(held) || now() < asks) return
      const before = held
      const asked = await ask().catch(() => null)
      if (asked !== null && !counts(asked)) asks = now() + ASK_AGAIN
      // A push during the fetch is newer than the fetched result.
      if (held === before) held = asked
    },
  }
}
