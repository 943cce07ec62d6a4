/**
 * Cards of questions that ended elsewhere than by a tap on them: by the clock, in another chat, by a typed word, with the message that
 * they came of. Each loses its buttons and says how it ended. The outbox row of a card stays one until its chat has taken that: what a
 * crash or an outage cut off is found by it at the next start. Must not decide. Called by the shell.
 */

import type { CardPorts, DeliverPorts } from '../../pipeline/deliver.ts'
import type { Actions, Outgoing, OwnerFacts, PolicySource } from '../../powers/ports.ts'
import type { ApprovalStore, OutboxRow, OutboxStore, StoreOf } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { hasAtOnce } from '../channels/chat-abilities.ts'
import { isPassing } from '../deliveries/waiting-line.ts'
import { closeCard } from './asking.ts'
import { endedWords } from './endings.ts'

type Closed = Pick<Approval, 'id' | 'task'>

export interface CardClosing {
  /** The card of this question, as it was put, is over. */
  add(approval: Closed): void
  /** After that, for whoever is to hear of it. */
  after(tell: () => Promise<unknown>): void
  /** For a start: cards of questions that had ended before it, and still stand. */
  leftOver(): void
  /** Does it all; a chat that cannot be reached is tried again later. */
  settle(): Promise<void>
  /** When that is, epoch milliseconds; null where nothing is left. */
  moment(): number | null
}

/** Deliveries of a chat among which cards that still stand are looked for at a start. */
const LOOKED_BACK = 50
/** Milliseconds after the end of a question in which its card is still changed at a start: an older one lies far up in its chat. */
const STILL_CLOSED = 24 * 3_600_000
/** Milliseconds until a chat that could not be reached is tried again. */
const AGAIN = 60_000

/** Delivery of the card of one question. */
export function cardDelivery({ id, task }: Closed): string {
  return `${task === '' ? 'card' : task}:${id}`
}

export function createCardClosing(
  powers: DeliverPorts & CardPorts & OwnerFacts & Actions & StoreOf<ApprovalStore>,
): CardClosing {
  const started = powers.now()
  const due: (() => Promise<unknown>)[] = []
  let left: { readonly cards: readonly Closed[]; readonly at: number } | null = null
  let failed: Closed[] = []
  const add = (approval: Closed): void => {
    due.push(async () => {
      if (!(await close(powers, approval))) failed.push(approval)
    })
  }
  return {
    add,
    after: (tell) => void due.push(tell),
    leftOver: () => standing(powers, started).forEach(add),
    async settle() {
      if (left !== null && powers.now() >= left.at) {
        left.cards.forEach(add)
        left = null
      }
      for (let next = due.shift(); next !== undefined; next = due.shift()) await next()
      if (failed.length === 0) return
      left = { cards: [...(left?.cards ?? []), ...failed].slice(-LOOKED_BACK), at: powers.now() + AGAIN }
      failed = []
    },
    moment: () => left?.at ?? null,
  }
}

/** False where its chat could not be reached. Where a channel is read by asking, a card is a line of the past and has no buttons. */
async function close(
  powers: DeliverPorts & CardPorts & OwnerFacts & Actions & StoreOf<ApprovalStore>,
  approval: Closed,
): Promise<boolean> {
  const delivery = cardDelivery(approval)
  const row = powers.store.findDelivery(delivery)
  if (row?.kind !== 'card' || !hasAtOnce(powers, row.sink)) return true
  const words = endedWords(powers, approval.id)
  if (words === null) return true
  const closed = await closeCard(powers, { approval: row.approval ?? approval.id, delivery, words })
  return closed.ok || !isPassing(closed.reason.code)
}

function standing(
  powers: PolicySource & Outgoing & StoreOf<ApprovalStore & OutboxStore>,
  started: number,
): readonly Closed[] {
  const { store } = powers
  const chats = powers.policy().sinks.filter(({ id }) => hasAtOnce(powers, id))
  return chats
    .flatMap(({ id }) => store.recentDeliveries(id, LOOKED_BACK))
    .flatMap((row) => overBefore(powers, row, started))
}

/** The question of a card that was shown, if it was over by then; what ended since closes its own card. */
function overBefore(
  { store }: StoreOf<ApprovalStore>,
  { id, kind }: OutboxRow,
  started: number,
): readonly Closed[] {
  const approval =
    kind === 'card' ? store.loadApproval(id.slice(id.lastIndexOf(':') + 1))?.approval : undefined
  if (approval === undefined || approval.state === 'pending' || approval.toldAt === null) return []
  const { decidedAt, expiresAt, createdAt } = approval
  const ended = decidedAt ?? (expiresAt < started ? expiresAt : createdAt)
  return ended < started && started - ended < STILL_CLOSED ? [approval] : []
}
