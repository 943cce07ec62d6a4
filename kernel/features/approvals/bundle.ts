/**
 * Questions of jobs and webhooks, for which nobody waits: delivered to the owner as one bundle in the morning,
 * each decided separately, open for one day. Must not decide. Called by authorize.ts and tick.ts.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import { type CardPorts, cardFor, type DeliverPorts, deliverToOwner } from '../../pipeline/deliver.ts'
import type { OwnerChats } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { bundleOf } from '../../wording/words.ts'
import { BUNDLE_WINDOW } from './background.ts'
import { foldCard } from './card.ts'

/** When the bundle of this question is sent; null for a question that is delivered at once and waits less than a day. */
export function bundleMoment({ toldAt, createdAt, expiresAt }: Approval): number | null {
  const moment = expiresAt - BUNDLE_WINDOW
  return toldAt === null && moment > createdAt ? moment : null
}

/**
 * Sends one delivery for everything due. A question that cannot be shown does not stop the others; it expires unseen.
 * False when no chat accepted the delivery.
 */
export async function tellBundle(
  powers: DeliverPorts & CardPorts & StoreOf<ApprovalStore>,
): Promise<boolean> {
  const now = powers.now()
  const untold = powers.store.pendingApprovals(null).filter(({ approval }) => bundleMoment(approval) !== null)
  const moments = untold.map(({ approval }) => bundleMoment(approval) ?? now)
  const due = Math.min(...moments)
  if (untold.length === 0 || due > now) return true
  const cards: { readonly card: Labeled<string>; readonly id: string }[] = []
  for (const stored of untold) {
    const card = await cardFor(powers, stored)
    if (card.ok) cards.push({ card: card.value, id: stored.approval.id })
  }
  if (cards.length > 0 && !(await deliverBundle(powers, due, cards)).ok) return false
  powers.store.transaction(() => told(powers, untold, now))
  return true
}

function deliverBundle(
  powers: DeliverPorts & OwnerChats,
  due: number,
  cards: readonly { readonly card: Labeled<string>; readonly id: string }[],
): Promise<Result<true>> {
  const ids = cards.map(({ id }) => id)
  const text = combine(
    cards.map(({ card }) => card),
    (texts) =>
      bundleOf(texts.map((card, at) => ({ card: foldCard(card, ids[at] ?? ''), id: ids[at] ?? '' }))),
  )
  const until = due + BUNDLE_WINDOW
  return deliverToOwner(powers, null, { id: `bundle:${due}`, kind: 'card', text, approval: null, until })
}

function told(powers: StoreOf<ApprovalStore>, untold: readonly StoredApproval[], now: number): void {
  for (const { approval } of untold) {
    const current = powers.store.loadApproval(approval.id)?.approval
    if (current?.state === 'pending') powers.store.saveApproval({ ...current, toldAt: now }, null)
  }
}
