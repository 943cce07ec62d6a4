/**
 * The owner's grants (F-13, F-16, F-19): listed, revoked, and combined with the policy at each use, so a revoked grant
 * covers nothing. Revoking needs no approval, because it widens nothing. Must not grant or decide. Called by both places.
 */

import { type FieldGrant, flowGrantsOf, type Grant } from '../../flow/grant.ts'
import type { Policy } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, ChangeNews, OwnerChats, PolicySource, SecretScan } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { GrantStore, IdentityLinkStore, StoreOf, Transactions } from '../../powers/stores.ts'
import { linkedChatsOf } from '../../task/identity-link.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { openForOwner } from '../deliveries/deliver.ts'
import type { JobStore } from '../jobs/port.ts'
import type { GrantView } from './port.ts'

/** Ports needed to list grants. */
type GrantListPorts = SealedReading &
  AtPlace &
  PolicySource &
  SecretScan &
  OwnerChats &
  StoreOf<GrantStore & JobStore>

export async function grantsOf(powers: GrantListPorts): Promise<readonly GrantView[]> {
  const views: GrantView[] = []
  for (const { grant, card } of powers.store.grants()) {
    const words = await openForOwner(powers, card)
    const { id, kind, template, createdAt, expiresAt, perDay, revoked } = grant
    const text = words.ok ? words.value : ''
    const ofJob = grant.kind === 'cloud' || grant.kind === 'append' ? grant.job : undefined
    // A grant for one job is hidden while the job does not exist; it counts again once an undo restores the job.
    const isOver = expiresAt <= powers.now() || (ofJob !== undefined && !isThere(powers, ofJob))
    const state = revoked ? 'revoked' : isOver ? 'ended' : 'live'
    const job = grant.kind === 'cloud' && grant.job !== undefined ? { job: grant.job } : {}
    views.push({ id, kind, template, ...job, card: text, state, createdAt, expiresAt, perDay })
  }
  return views
}

function isThere({ store }: StoreOf<JobStore>, id: string): boolean {
  const job = store.findJob(id)
  return job !== null && job.state !== 'removed'
}

export function revokeGrant(
  powers: Auditing & ChangeNews & StoreOf<Transactions & GrantStore>,
  grant: string,
  principal: string,
): Result<{ readonly grant: string }> {
  if (principal !== OWNER_PRINCIPAL) return err('approval_wrong_principal')
  return powers.store.transaction(() => {
    if (!powers.store.revokeGrant(grant, powers.now())) return err('grant_missing', { grant })
    audit(powers, 'grant_changed', null, { grant, revoked: true, by: principal })
    powers.grantsChanged?.()
    return ok({ grant })
  })
}

/** Sources of grants. */
interface GrantSources {
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
