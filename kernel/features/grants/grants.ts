/**
 * Lists the owner's grants and revokes one (F-13, F-19). Revoking needs no approval, because it widens nothing. Must
 * not grant; change.ts does. Called by shell.ts.
 */

import { err, ok, type Result } from '../../flow/verdict.ts'
import { openForOwner } from '../../pipeline/deliver.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, ChangeNews, OwnerChats, PolicySource, SecretScan } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf, Transactions } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { GrantView } from './port.ts'

/** Ports needed to list grants. */
type GrantListPorts = SealedReading & AtPlace & PolicySource & SecretScan & OwnerChats & StoreOf<GrantStore>

export async function grantsOf(powers: GrantListPorts): Promise<readonly GrantView[]> {
  const views: GrantView[] = []
  for (const { grant, card } of powers.store.grants()) {
    const words = await openForOwner(powers, card)
    const { id, kind, template, createdAt, expiresAt, perDay, revoked } = grant
    const state = revoked ? 'revoked' : expiresAt <= powers.now() ? 'ended' : 'live'
    const text = words.ok ? words.value : ''
    views.push({ id, kind, template, card: text, state, createdAt, expiresAt, perDay })
  }
  return views
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
