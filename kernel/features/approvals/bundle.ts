/**
 * Questions of jobs and webhooks, for which nobody waits: delivered to the owner as one bundle in the morning,
 * each decided separately, open for one day. Must not decide. Called by authorize.ts and asking.ts.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { OwnerChats } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import type { PrincipalClass } from '../../task/principal.ts'
import { localHour } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { type DeliverPorts, deliverToOwner } from '../deliveries/deliver.ts'
import { foldCard } from './card/card-face.ts'
import { type CardPorts, cardFor } from './card/card-opening.ts'

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
  powers.store.transaction(() => recordNotified(powers, untold, now))
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
    (texts) => bundleOf(texts, ids),
  )
  const until = due + BUNDLE_WINDOW
  return deliverToOwner(powers, null, { id: `bundle:${due}`, kind: 'card', text, approval: null, until })
}

/** Text of the bundle: a heading, then each card with its number and the id that answers it. */
function bundleOf(cards: readonly string[], ids: readonly string[]): string {
  const count = cards.length
  const head = count === 1 ? tell('wording.one_question') : tell('wording.questions', { count })
  const questions = cards.map((card, at) => {
    const id = ids[at] ?? ''
    return tell('wording.question', { number: at + 1, card: foldCard(card, id), id })
  })
  return [head, ...questions].join('\n\n')
}

function recordNotified(
  powers: StoreOf<ApprovalStore>,
  untold: readonly StoredApproval[],
  now: number,
): void {
  for (const { approval } of untold) {
    const current = powers.store.loadApproval(approval.id)?.approval
    if (current?.state === 'pending') powers.store.saveApproval({ ...current, toldAt: now }, null)
  }
}

/** Local hour at which the bundle is sent: once a day, when the owner is likely awake. */
const BUNDLE_HOUR = 8
/** Milliseconds that a bundled question waits after delivery. */
export const BUNDLE_WINDOW = 86_400_000
/** Milliseconds. */
const HOUR = 3_600_000

/** Principals for whose tasks nobody waits in a chat. */
const BACKGROUND: readonly PrincipalClass[] = ['cron', 'webhook']

export function isBackground(of: PrincipalClass): boolean {
  return BACKGROUND.includes(of)
}

/** Next full hour equal to `BUNDLE_HOUR` in this zone; one day later if a clock change skips it. */
export function nextBundle(now: number, timeZone: string): number {
  const first = Math.floor(now / HOUR) + 1
  for (let hour = first; hour < first + 50; hour += 1)
    if (localHour(hour * HOUR, timeZone) === BUNDLE_HOUR) return hour * HOUR
  return (first + 24) * HOUR
}
