/**
 * The edge's copy of one person's agreement, as last synced from home (B-04): a row in that person's object, so that
 * class and validity are known locally. Home is the authority; an agreement it no longer lists has ended. Must not
 * decide who is paired. Called by PrincipalObject.
 */
import type { Notice } from '../../pipeline/deliver.ts'
import type { Auditing } from '../../powers/audit.ts'
import type { ChangeNews } from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import type { ToldPerson } from '../../tunnel/told-people.ts'
import { agreementsOf, saveAgreement } from './agreement-change.ts'
import type { AgreementStore } from './agreement-port.ts'

const BY_HOME = { by: 'home' }

/**
 * Idempotent. `told`: all agreements of this principal that are live now. Returns a notice for the person about each
 * new one.
 */
export function takeAgreements(
  powers: Auditing & ChangeNews & StoreOf<Transactions & AgreementStore>,
  told: readonly ToldPerson[],
): readonly Notice[] {
  return powers.store.transaction(() => {
    const live = agreementsOf(powers).filter(({ state }) => state === 'live')
    for (const agreement of live)
      if (!told.some(({ id }) => id === agreement.id))
        saveAgreement(powers, { agreement: { ...agreement, state: 'revoked' }, facts: BY_HOME })
    const fresh = told.filter(({ id }) => !live.some((agreement) => agreement.id === id))
    for (const one of fresh) saveAgreement(powers, { agreement: recordOf(one, powers.now()), facts: BY_HOME })
    return fresh.map(({ id, principal, sink }) => ({
      ...{ id: `agreement:${id}`, principal, sink, code: 'agreement_made' as const },
    }))
  })
}

/** Home compared its code. */
function recordOf(told: ToldPerson, createdAt: number) {
  return { ...told, code: '', state: 'live', told: true, createdAt, openUntil: 0 } as const
}
