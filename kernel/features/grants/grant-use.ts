/**
 * The policy combined with the grants and identity links in force at this moment (F-13, F-16, F-19), so a revoked
 * grant covers nothing. Reads home's own rows at home, and home's last sync at the edge. Must not decide; policy.ts
 * does. Called by both places and by call-grant.ts.
 */
import { type FieldGrant, flowGrantsOf, type Grant } from '../../flow/grant.ts'
import type { Policy } from '../../flow/policy.ts'
import type { GrantStore, IdentityLinkStore } from '../../powers/stores.ts'
import { linkedChatsOf } from '../../task/identity-link.ts'

/** Sources of grants. */
export interface GrantSources {
  /** Null at home. */
  readonly home: { readonly granted: () => readonly FieldGrant[] } | null
  readonly store: GrantStore & IdentityLinkStore
}

/** All grants, including expired ones. */
export function standingGrants({ home, store }: GrantSources): readonly Grant[] {
  return home === null ? store.grants().map(({ grant }) => grant) : home.granted()
}

export function withGrants(policy: Policy, sources: GrantSources): Policy {
  const grants = standingGrants(sources)
  const links = sources.store.identityLinks()
  if (grants.length === 0 && links.length === 0) return policy
  return {
    ...policy,
    linkedChats: linkedChatsOf(links.map(({ link }) => link)),
    flowGrants: grants.flatMap((grant) => (grant.kind === 'fields' ? flowGrantsOf(grant) : [])),
    writeGrants: grants.filter((grant) => grant.kind === 'write'),
  }
}
