/**
 * Writes of a pairing agreement, each with its line of the audit (B-04): whatever the machine of task/agreement.ts says becomes the
 * row. Inside a transaction of the caller's. Must not ask or tell anybody. Called by people.ts, invitations.ts and change.ts.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews } from '../../powers/ports.ts'
import type { AskedApproval, AuditEvent, StoreOf } from '../../powers/stores.ts'
import type { Agreement } from '../../task/agreement.ts'
import type { ProposedChange } from '../../task/approval-kind.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef } from '../../task/task.ts'
import type { AgreementStore } from './agreement-port.ts'

export function agreementsOf({ store }: StoreOf<AgreementStore>): readonly Agreement[] {
  return store.agreements().map(({ agreement }) => agreement)
}

export interface AgreementChange {
  readonly agreement: Agreement
  readonly who?: SealedRef
  /** What happened, beside the state that came of it. */
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
 * The owner's answer to an invitation, in the transaction of that answer. A yes makes its code good, for what its card said.
 * Refusal: approval_changed for one that is no longer what was shown.
 */
export function applyInvitation(
  powers: Auditing & ChangeNews & StoreOf<AgreementStore>,
  { approval }: AskedApproval,
  change: Invitation,
): Result<true> {
  const agreement = agreementsOf(powers).find(({ id }) => id === change.agreement)
  const isShown = agreement?.state === 'asked' && isSame(agreement, change)
  if (!isShown) return err('approval_changed', { approval: approval.id })
  const state = approval.state === 'approved' ? 'open' : 'ended'
  saveAgreement(powers, { agreement: { ...agreement, state }, facts: { approval: approval.id } })
  return ok(true)
}

function isSame({ templates, openUntil, expiresAt }: Agreement, change: Invitation): boolean {
  const sameTemplates = JSON.stringify(templates) === JSON.stringify(change.templates)
  return sameTemplates && openUntil === change.openUntil && expiresAt === change.expiresAt
}

/** Names of people lie with the owner's own words. `came`: what their channel calls them stands there, too. */
export function whoKeeping(agreement: string, came: boolean) {
  const id = `who:${agreement}${came ? ':came' : ''}`
  return { principal: OWNER_PRINCIPAL, store: 'sessions', until: null, id } as const
}

/** Of the sealed words that say who it is. */
export function whoFrom(words: string): { readonly name: string; readonly handle: string } {
  const [name = '', handle = ''] = words.split('\n')
  return { name, handle }
}
