/**
 * Writes a pairing agreement with its audit row (B-04): the state that task/agreement.ts computed, or, at the edge, what
 * home last synced. Must not ask or notify anybody. Called by people.ts, invitations.ts, change.ts and PrincipalObject.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews } from '../../powers/ports.ts'
import type { AskedApproval, AuditEvent, StoreOf, Transactions } from '../../powers/stores.ts'
import type { Agreement } from '../../task/agreement.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import type { SealedRef } from '../../task/task.ts'
import type { SyncedPerson } from '../../tunnel/synced.ts'
import type { Notice } from '../deliveries/deliver.ts'
import type { AgreementStore } from './port.ts'

export function agreementsOf({ store }: StoreOf<AgreementStore>): readonly Agreement[] {
  return store.agreements().map(({ agreement }) => agreement)
}

interface AgreementChange {
  readonly agreement: Agreement
  readonly who?: SealedRef
  /** What happened, in addition to the new state. */
  readonly facts?: AuditEvent['facts']
}

export function saveAgreement(
  powers: Auditing & ChangeNews & StoreOf<AgreementStore>,
  { agreement, who, facts = {} }: AgreementChange,
): void {
  powers.store.saveAgreement(agreement, who ?? null)
  powers.peopleChanged?.()
  const { id, state } = agreement
  audit(powers, 'agreement_changed', null, { agreement: id, state, ...facts })
}

type Invitation = Extract<ProposedChange, { do: 'pair' }>

/**
 * Applies the owner's decision on an invitation, in the transaction of that decision. An approval activates its codes,
 * for what the card stated; what was taken back since stays so. Refusal: approval_changed for an invitation that differs
 * from the one shown.
 */
export function applyInvitation(
  powers: Auditing & ChangeNews & StoreOf<AgreementStore>,
  { approval }: AskedApproval,
  change: Invitation,
): Result<true> {
  const all = agreementsOf(powers)
  const shown = [change.agreement, ...(change.others ?? [])].map((id) => all.find((one) => one.id === id))
  const asked = shown.filter((one) => one?.state === 'asked')
  const isShown = shown.every(
    (one) => one !== undefined && isSame(one, change) && ['asked', 'revoked'].includes(one.state),
  )
  if (!isShown || asked.length === 0) return err('approval_changed', { approval: approval.id })
  const state = approval.state === 'approved' ? 'open' : 'ended'
  for (const agreement of asked)
    if (agreement !== undefined)
      saveAgreement(powers, { agreement: { ...agreement, state }, facts: { approval: approval.id } })
  return ok(true)
}

function isSame({ templates, openUntil, expiresAt }: Agreement, change: Invitation): boolean {
  const sameTemplates = JSON.stringify(templates) === JSON.stringify(change.templates)
  return sameTemplates && openUntil === change.openUntil && expiresAt === change.expiresAt
}

/** Names of people are sealed like the owner's own words. `came`: includes the name that their channel shows. */
export function whoKeeping(agreement: string, came: boolean) {
  const id = `who:${agreement}${came ? ':came' : ''}`
  return { principal: OWNER_PRINCIPAL, store: 'sessions', until: null, id } as const
}

/** Parses the sealed text that identifies the person. */
export function whoFrom(words: string): { readonly name: string; readonly handle: string } {
  const [name = '', handle = ''] = words.split('\n')
  return { name, handle }
}

const BY_HOME = { by: 'home' }

/**
 * Idempotent. `told`: all agreements of this principal that are live now. Returns a notice for the person about each
 * new one.
 */
export function takeAgreements(
  powers: Auditing & ChangeNews & StoreOf<Transactions & AgreementStore>,
  told: readonly SyncedPerson[],
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

/** A live agreement as synced from home; it has no code, because home compared it. */
function recordOf(told: SyncedPerson, createdAt: number) {
  return { ...told, code: '', state: 'live', told: true, createdAt, openUntil: 0 } as const
}
