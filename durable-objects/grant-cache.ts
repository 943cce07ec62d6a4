/**
 * What one stranger's object holds of home's grants (F-13): asked for before a run where it holds none that count, told anew when they
 * change. In memory alone: whoever knows nothing tells nothing. Must not decide what a grant covers. Called by PrincipalObject.
 */
import type { FieldGrant } from '../kernel/flow/grant.ts'
import type { HeldGrants } from './grants.ts'

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

export function createGrantCache({ now, ask }: GrantCacheInput): GrantCache {
  let held: HeldGrants | null = null
  const counts = (grants: HeldGrants | null): grants is HeldGrants => grants !== null && now() < grants.until
  return {
    granted: () => (counts(held) ? held.grants : []),
    told(grants) {
      held = grants
    },
    async refresh() {
      if (counts(held)) return
      const before = held
      const asked = await ask().catch(() => null)
      // What was told meanwhile is newer than what was asked for.
      if (held === before) held = asked
    },
  }
}
