/**
 * The confirmation after the owner approved a change of the rules: it repeats the card of the rule that now
 * holds, in the same words wherever the approval was given. Must not decide anything. Called by
 * typed-words.ts, asking.ts and the port for operations.
 */
import { derive } from '../../flow/labeled.ts'
import type { AtPlace } from '../../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf } from '../../powers/stores.ts'
import { tell } from '../../wording/words.ts'
import { isRule } from './applied.ts'
import { foldCard } from './card/card-face.ts'
import { type CardPorts, openCard } from './card/card-opening.ts'
import { numberOf } from './waiting.ts'

/** The stored approval, if it changes a rule; null for any other approval, or an unknown id. */
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

/** The confirmation as text, for callers that may read cards. Empty if the approval changed no rule. */
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
