/**
 * The policy with what the owner has granted, as it is stored at this very moment: a grant that was revoked a moment
 * ago covers nothing (F-13, F-19). Must not decide: policy.ts does. Called by the place that is the policy authority.
 */
import { flowGrantsOf, type Grant } from '../flow/grant.ts'
import type { Policy } from '../flow/policy.ts'
import type { Store } from './ports.ts'

export function withGrants(policy: Policy, store: Pick<Store, 'grants'>): Policy {
  const grants = store.grants().map(({ grant }) => grant)
  if (grants.length === 0) return policy
  return {
    ...policy,
    flowGrants: grants.flatMap((grant: Grant) => (grant.kind === 'fields' ? flowGrantsOf(grant) : [])),
    writeGrants: grants.filter((grant) => grant.kind === 'write'),
  }
}
