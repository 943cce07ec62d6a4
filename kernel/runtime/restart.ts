/**
 * After a restart (M-27, M-28): counts waiting and running work before anything runs, and notifies the owner. A
 * question's existence can reveal its content, so the notice bears the labels of the cards it counts, and counts only
 * cards that its chat may show. Called by home once its doors are open.
 */

import { type CardPorts, cardFor } from '../features/approvals/card/card-opening.ts'
import { type DeliverPorts, deliverToOwner } from '../features/deliveries/deliver.ts'
import { pausedNow } from '../features/pause/pause.ts'
import { pausedBy } from '../features/pause/pause-words.ts'
import { combine } from '../flow/labeled.ts'
import { receive, selfFacts } from '../flow/provenance.ts'
import { ok, type Result } from '../flow/verdict.ts'
import type { ChatServices, OwnerFacts, Pausing } from '../powers/ports.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../powers/stores.ts'
import type { SelfSnapshot } from '../self/snapshot.ts'
import { isWaiting } from '../task/task.ts'
import { type RestartFacts, restartWords } from '../wording/restart.ts'

/** Milliseconds between two such notices: a home that keeps crashing must not flood the chat. */
export const LEAST_BETWEEN_NOTICES = 600_000

export interface LeftOver {
  readonly questions: readonly StoredApproval[]
  /** Tasks that have not ended and wait for nothing. */
  readonly underWay: number
}

/** Counts what an earlier process left. Must be called before anything runs, since running changes the counts. */
export function leftOver({ store }: StoreOf<TaskStore & ApprovalStore>): LeftOver {
  const tasks = store.activePrincipals().flatMap((principal) => store.activeTasks(principal))
  return {
    questions: store.pendingApprovals(null),
    underWay: tasks.filter(({ task }) => !isWaiting(task.state)).length,
  }
}

/** Facts about the assistant in a notice. */
export function connectedIn({
  sections,
}: SelfSnapshot): Pick<RestartFacts, 'services' | 'broken' | 'skills'> {
  const services = sections.find((section) => section.kind === 'integrations')?.items ?? []
  return {
    services: services.filter(({ state }) => state === 'active').map(({ name }) => name),
    broken: services.filter(({ state }) => state !== 'active').map(({ name }) => name),
    skills: sections.find((section) => section.kind === 'skills')?.items.length ?? 0,
  }
}

export interface RestartNotice {
  /** Id of the notice, the same throughout one start. */
  readonly id: string
  readonly facts: RestartFacts
  readonly left: LeftOver
  /** When the last of these notices was sent, epoch milliseconds; null: never. */
  readonly lastTold: number | null
}

/** False when the last notice was sent too recently. Refusals: those of a delivery. */
export async function tellRestart(
  powers: DeliverPorts & CardPorts & OwnerFacts & ChatServices & Pausing,
  { id, facts, left, lastTold }: RestartNotice,
): Promise<Result<boolean>> {
  const now = powers.now()
  // A clock that was set back must not suppress the notice permanently.
  if (lastTold !== null && lastTold <= now && now - lastTold < LEAST_BETWEEN_NOTICES) return ok(false)
  const cards = (
    await Promise.all(left.questions.map(async (one) => ({ one, card: await cardFor(powers, one) })))
  ).flatMap(({ one, card }) => (card.ok ? [{ one, card: card.value }] : []))
  const lapsed = cards.filter(({ one }) => one.approval.expiresAt <= now).length
  const pause = pausedNow(powers)
  // During a pause nothing continues, and questions that expired in it are asked again afterwards.
  const counts =
    pause === null
      ? { lapsed, waiting: cards.length - lapsed, underWay: left.underWay }
      : {
          lapsed: 0,
          waiting: cards.length,
          underWay: 0,
          paused: pausedBy(pause, { timezone: powers.profile().timezone, chats: powers.chats }),
        }
  const words = receive(restartWords(facts, counts), selfFacts('restart', 'sensitive'))
  const text = combine([words, ...cards.map(({ card }) => card)], ([said = '']) => said)
  const told = await deliverToOwner(powers, null, { id, kind: 'notice', text, approval: null })
  return told.ok ? ok(true) : told
}
