/**
 * What one stranger's object holds of home's grants (F-13): asked for before a run where it holds none that count, told anew when they
 * change. In memory alone: whoever knows nothing tells nothing. Must not decide what a grant covers. Called by PrincipalObject.
 */
import type { FieldGrant } from '../kernel/flow/grant.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { KernelCalls } from '../worker/env.ts'
import type { Claim } from './claim.ts'
import type { HeldGrants } from './grants.ts'
import { KERNEL_NAME } from './names.ts'

export interface GrantCache {
  /** Those that count now. */
  granted(): readonly FieldGrant[]
  /** Home's word, as it is now. */
  told(held: HeldGrants): void
  /** Before a run. Never throws: where nobody can be asked there are none. */
  refresh(): Promise<void>
}

export interface GrantCacheInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Null where nothing is ever granted, as to the owner. */
  readonly ask: () => Promise<HeldGrants | null>
}

/** Of KernelObject, for the object of this name. */
export function askForGrants(claim: Claim, kernel: KernelCalls<'grantsFor'>): GrantCacheInput['ask'] {
  return async () => {
    const isStranger = (claim.known() ?? OWNER_PRINCIPAL) !== OWNER_PRINCIPAL
    return isStranger ? kernel.getByName(KERNEL_NAME).grantsFor(claim.name()) : null
  }
}

/** Milliseconds after an answer that was of no use before it is asked for again: home's return is told by itself. */
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
      // What was told meanwhile is newer than what was asked for.
      if (held === before) held = asked
    },
  }
}
