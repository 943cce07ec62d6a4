/**
 * The owner's grants to people who ask, as last synced from home (F-13, X-05): KernelObject stores them and pushes changes; each
 * running stranger's object caches them in memory. Home is the authority and checks its own rows; here they only decide whether
 * home's answer may be sent. Must not trust them when home was away for long.
 */
import type { FieldGrant } from '../kernel/flow/grant.ts'
import { canonicalJson } from '../kernel/flow/json.ts'
import { ok, type Result } from '../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { heldGrant, type SyncedGrant } from '../kernel/tunnel/synced.ts'
import { KERNEL_NAME, TUNNEL_NAME } from './names.ts'
import type { EdgeEnv, KernelCalls } from './platform/env.ts'
import type { Gate } from './principal/gate.ts'

/** Milliseconds without home after which no grant is valid until it returns: one may have been revoked meanwhile. */
export const GRANT_TRUST = 3_600_000

/**
 * Maximum number of strangers' objects that receive pushes. Anybody can create such objects by writing from many accounts, and
 * home's frame waits until all have the push. Another object gets no grant until others expire after an hour.
 */
export const MOST_HOLDERS = 256
/** Concurrent pushes. */
export const AT_ONCE = 16

const GRANTS = 'grants'
/** Key of the grants that were last pushed to all objects, as one canonical text. */
const PUSHED = 'grants-told'
/** Key prefix, by object name: when the object last fetched, epoch milliseconds. */
const HOLDER = 'grants-at:'

/** Grants, and until when they are valid (epoch milliseconds). */
export interface HeldGrants {
  readonly grants: readonly FieldGrant[]
  readonly until: number
}

export interface EdgeGrants {
  /**
   * Replaces the grants. `ahead`: how far this clock is ahead of home's, milliseconds. Resolves when every object with grants has
   * the new ones. Throws when one could not be reached: the caller retries, and a repeated push is harmless.
   */
  set(synced: readonly SyncedGrant[], ahead: number): Promise<Result<true>>
  /** Grants for the object of this name, which receives every change until they expire. */
  of(name: string): Promise<HeldGrants>
}

export function createEdgeGrants(kv: SyncKvStorage, env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>): EdgeGrants {
  const known = (): readonly FieldGrant[] => kv.get<readonly FieldGrant[]>(GRANTS) ?? []
  const until = async (): Promise<number> =>
    (await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()) + GRANT_TRUST
  const holders = (): readonly string[] => {
    const names: string[] = []
    // The grants this object fetched have expired.
    for (const [key, at] of [...kv.list<number>({ prefix: HOLDER })])
      if (at + GRANT_TRUST < Date.now()) kv.delete(key)
      else names.push(key.slice(HOLDER.length))
    return names
  }
  return {
    async set(synced, ahead) {
      const grants = synced.map((grant) => heldGrant(grant, ahead))
      const isNews = canonicalJson(synced) !== kv.get<string>(PUSHED)
      // Written first, so that a concurrent fetch returns these.
      kv.put(GRANTS, grants)
      // Objects with the same grants fetch again at their expiry: home's return need not wake them all.
      if (!isNews) return ok(true)
      const held = { grants, until: Date.now() + GRANT_TRUST }
      const names = holders()
      for (let from = 0; from < names.length; from += AT_ONCE)
        await Promise.all(
          names.slice(from, from + AT_ONCE).map((name) => env.PRINCIPALS.getByName(name).setGrants(held)),
        )
      // Written last: if a push failed, the next sync pushes to all again.
      kv.put(PUSHED, canonicalJson(synced))
      return ok(true)
    },
    async of(name) {
      // An empty list does not depend on home's presence: its holders receive the first grant by push.
      const end = known().length === 0 ? Date.now() + GRANT_TRUST : await until()
      // Recorded and read without a wait in between: every later change is pushed.
      if (kv.get(HOLDER + name) === undefined && holders().length >= MOST_HOLDERS)
        return { grants: [], until: Date.now() }
      kv.put(HOLDER + name, Date.now())
      return { grants: known(), until: end }
    },
  }
}

export interface GrantCache {
  /** Grants that are valid now. */
  granted(): readonly FieldGrant[]
  /** Replaces the cached grants by those that home has now synced. */
  replace(held: HeldGrants): void
  /** Called before a run. Never throws: when the fetch fails there are no grants. */
  refresh(): Promise<void>
}

interface GrantCacheInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Null where no grant applies, as for the owner. */
  readonly ask: () => Promise<HeldGrants | null>
}

/** Fetches from KernelObject the grants for the object of this name. */
export function askForGrants(gate: Gate, kernel: KernelCalls<'grantsFor'>): GrantCacheInput['ask'] {
  return async () => {
    const isStranger = (gate.known() ?? OWNER_PRINCIPAL) !== OWNER_PRINCIPAL
    return isStranger ? kernel.getByName(KERNEL_NAME).grantsFor(gate.name()) : null
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
    replace(grants) {
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
