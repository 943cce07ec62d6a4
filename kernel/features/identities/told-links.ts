/**
 * The edge's copy of one principal's identity links, as last synced from home (F-15, F-16): rows in that principal's
 * object, so that class and readable data are known locally. Home is the authority; a link it no longer lists has
 * ended. Must not decide who is one person. Called by PrincipalObject.
 */
import type { Auditing } from '../../powers/audit.ts'
import type { ChangeNews } from '../../powers/ports.ts'
import type { IdentityLinkStore, StoreOf, Transactions } from '../../powers/stores.ts'
import type { LinkEnd } from '../../task/identity-link.ts'
import type { ToldLink } from '../../tunnel/told-links.ts'
import { linksOf, saveLink } from './link-change.ts'

const BY_HOME = { by: 'home' }

/** Idempotent. `told`: all links of this principal that are live now. */
export function takeLinks(
  powers: Auditing & ChangeNews & StoreOf<Transactions & IdentityLinkStore>,
  told: readonly ToldLink[],
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

/** Home compared its code. */
function endOf({ principal, sink }: ToldLink['ends'][number]): LinkEnd {
  return { principal, sink, code: '', wrong: 0 }
}
