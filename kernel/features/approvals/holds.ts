/**
 * What a yes to a change of the rules lets hold from now on, as its card showed it: the same words wherever the yes is given. Must not
 * decide. Called by typed-words.ts, asking.ts and the place's port for operations.
 */
import { derive } from '../../flow/labeled.ts'
import type { AtPlace } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf } from '../../powers/stores.ts'
import { tell } from '../../wording/words.ts'
import { isRule } from './applied.ts'
import { foldCard } from './card/card-face.ts'
import { type CardPorts, openCard } from './card/card-opening.ts'
import { numberOf } from './waiting.ts'

/** The card of a rule that a yes was given to; null for any other question, or none. */
export function ruleOf({ store }: StoreOf<ApprovalStore>, approval: string): StoredApproval | null {
  const stored = store.loadApproval(approval)
  const change = stored?.approval.change ?? null
  return stored !== null && change !== null && isRule(change) ? stored : null
}

export function holdsWords(
  powers: AtPlace & StoreOf<ApprovalStore>,
  stored: StoredApproval,
): (card: string) => string {
  const number = numberOf(powers, stored)
  return (card) => `${tell('approvals.holds_now')}\n\n${foldCard(card, stored.approval.id, number)}`
}

/** For a caller that may read cards; empty where nothing holds by that yes. */
export async function holdsFor(
  powers: CardPorts & StoreOf<ApprovalStore>,
  approval: string,
): Promise<string> {
  const stored = ruleOf(powers, approval)
  const words =
    stored === null
      ? null
      : await openCard(powers, stored, (card) => derive(card, holdsWords(powers, stored)))
  return words?.ok === true ? words.value : ''
}
