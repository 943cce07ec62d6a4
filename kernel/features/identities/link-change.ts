/**
 * Writes an identity link with its audit row (F-16): the state that task/identity-link.ts computed, or, at the edge, what
 * home last synced. Must not ask anybody. Called by identity-links.ts, change.ts and PrincipalObject.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews } from '../../powers/ports.ts'
import type {
  AskedApproval,
  AuditEvent,
  IdentityLinkStore,
  StoreOf,
  Transactions,
} from '../../powers/stores.ts'
import { approvalOf, type IdentityLink, type LinkEnd, partnersOf } from '../../task/identity-link.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import type { SealedRef } from '../../task/task.ts'
import type { SyncedLink } from '../../tunnel/synced.ts'

export function linksOf({ store }: StoreOf<IdentityLinkStore>): readonly IdentityLink[] {
  return store.identityLinks().map(({ link }) => link)
}

interface LinkChange {
  readonly link: IdentityLink
  readonly card?: SealedRef
  /** What happened, in addition to the new state. */
  readonly facts?: AuditEvent['facts']
}

export function saveLink(
  powers: Auditing & ChangeNews & StoreOf<IdentityLinkStore>,
  { link, card, facts = {} }: LinkChange,
): void {
  powers.store.saveIdentityLink(link, card ?? null)
  powers.linksChanged?.()
  audit(powers, 'identity_changed', null, { link: link.id, state: link.state, ...facts })
}

/**
 * Applies the owner's decision on a link, in the transaction of that decision. An approval creates exactly what its
 * card stated. Refusals: approval_changed for a link that is no longer the one that was shown; identity_linked.
 */
export function applyLink(
  powers: Auditing & ChangeNews & StoreOf<IdentityLinkStore>,
  { approval, card }: AskedApproval,
  change: Extract<ProposedChange, { do: 'link' }>,
): Result<true> {
  const link = linksOf(powers).find(({ id }) => id === change.link)
  const isShown = link?.state === 'proven' && approvalOf(link) === approval.id && hasEnds(link, change)
  if (link === undefined || !isShown) return err('approval_changed', { approval: approval.id })
  const facts = { approval: approval.id }
  if (approval.state !== 'approved') saveLink(powers, { link: { ...link, state: 'ended' }, facts })
  else {
    const [one, other] = link.ends
    if (partnersOf(linksOf(powers), one.principal).includes(other.principal))
      return err('identity_linked', { link: link.id })
    saveLink(powers, { link: { ...link, state: 'live' }, card, facts })
  }
  return ok(true)
}

function hasEnds({ ends }: IdentityLink, { ends: shown }: Extract<ProposedChange, { do: 'link' }>): boolean {
  return ends.every(
    ({ principal, sink }, index) => shown[index]?.principal === principal && shown[index]?.sink === sink,
  )
}

const BY_HOME = { by: 'home' }

/** Idempotent. `told`: all links of this principal that are live now. */
export function takeLinks(
  powers: Auditing & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
  told: readonly SyncedLink[],
): void {
  powers.store.transaction(() => {
    const live = linksOf(powers).filter(({ state }) => state === 'live')
    for (const link of live)
      if (!told.some(({ id }) => id === link.id))
        saveLink(powers, { link: { ...link, state: 'removed' }, facts: BY_HOME })
    for (const { id, ends } of told) {
      if (live.some((link) => link.id === id)) continue
      const [one, other] = ends
      const times = { createdAt: powers.now(), expiresAt: 0 }
      const link = { id, ends: [endOf(one), endOf(other)], state: 'live', message: '', ...times } as const
      saveLink(powers, { link, facts: BY_HOME })
    }
  })
}

/** Home compared the code, so the synced end has none. */
function endOf({ principal, sink }: SyncedLink['ends'][number]): LinkEnd {
  return { principal, sink, code: '', wrong: 0 }
}
