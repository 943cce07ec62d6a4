/**
 * The policy with what the owner has granted and whom he has linked, as it is stored at this very moment: a grant that was revoked a moment
 * ago covers nothing (F-13, F-16, F-19). Must not decide: policy.ts does. Called by the place that is the policy authority.
 */
import { flowGrantsOf, type Grant } from '../flow/grant.ts'
import type { Policy } from '../flow/policy.ts'
import { linkedChatsOf } from '../task/identity-link.ts'
import type { Store } from './ports.ts'

export function withGrants(policy: Policy, store: Pick<Store, 'grants' | 'identityLinks'>): Policy {
  const grants = store.grants().map(({ grant }) => grant)
  const links = store.identityLinks()
  if (grants.length === 0 && links.length === 0) return policy
  return {
    ...policy,
    linkedChats: linkedChatsOf(links.map(({ link }) => link)),
    flowGrants: grants.flatMap((grant: Grant) => (grant.kind === 'fields' ? flowGrantsOf(grant) : [])),
    writeGrants: grants.filter((grant) => grant.kind === 'write'),
  }
}
