/**
 * Updates cards whose question ended other than by a tap: by expiry, in another chat, by a typed word, by an edited
 * message. Each loses its buttons and states how it ended. The outbox row marks a card until its chat accepted the
 * change, so a restart finds what a crash cut off. Called by shell.ts.
 */

import type { Actions, Outgoing, OwnerFacts, PolicySource } from '../../powers/ports.ts'
import type { ApprovalStore, OutboxRow, OutboxStore, StoreOf } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { hasAtOnce } from '../channels/channel-port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import { isPassing } from '../deliveries/waiting-line.ts'
import { closeCard } from './asking.ts'
import type { CardPorts } from './card/card-opening.ts'
import { endedWords } from './endings.ts'

type Closed = Pick<Approval, 'id' | 'task'>

export interface CardClosing {
  /** Adds the card of a question that has ended, as it was delivered. */
  add(approval: Closed): void
  /** Adds a notice that is to come before the answer to the message that caused it. */
  before(tell: () => Promise<unknown>): void
  /** Sends those notices; null if there is none, so that nothing else has to wait. */
  begin(): Promise<void> | null
  /** At startup: adds cards whose question ended before and that still look open. */
  leftOver(): void
  /** Updates all cards; a chat that cannot be reached is retried later. */
  settle(): Promise<void>
  /** When the next retry is due, epoch milliseconds; null when nothing is left. */
  moment(): number | null
}

/** Number of newest deliveries of a chat that are searched for open cards at startup. */
const LOOKED_BACK = 50
/**
 * Milliseconds after its question ended in which a card is still updated at startup; an older card is far up in its
 * chat.
 */
const STILL_CLOSED = 24 * 3_600_000
/** Milliseconds before an unreachable chat is retried. */
const AGAIN = 60_000

/** Delivery of the card of one question. */
export function cardDelivery({ id, task }: Closed): string {
  return `${task === '' ? 'card' : task}:${id}`
}

/** Each is taken out before it runs. */
async function inOrder(due: (() => Promise<unknown>)[]): Promise<void> {
  for (let next = due.shift(); next !== undefined; next = due.shift()) await next()
}

export function createCardClosing(
  powers: DeliverPorts & CardPorts & OwnerFacts & Actions & StoreOf<ApprovalStore>,
): CardClosing {
  const started = powers.now()
  const due: (() => Promise<unknown>)[] = []
  const first: (() => Promise<unknown>)[] = []
  let left: { readonly cards: readonly Closed[]; readonly at: number } | null = null
  let failed: Closed[] = []
  const add = (approval: Closed): void => {
    due.push(async () => {
      if (!(await close(powers, approval))) failed.push(approval)
    })
  }
  return {
    add,
    before: (tell) => void first.push(tell),
    begin: () => (first.length === 0 ? null : inOrder(first)),
    leftOver: () => standing(powers, started).forEach(add),
    async settle() {
      await inOrder(first)
      if (left !== null && powers.now() >= left.at) {
        left.cards.forEach(add)
        left = null
      }
      await inOrder(due)
      if (failed.length === 0) return
      left = { cards: [...(left?.cards ?? []), ...failed].slice(-LOOKED_BACK), at: powers.now() + AGAIN }
      failed = []
    },
    moment: () => left?.at ?? null,
  }
}

/**
 * False when the chat could not be reached. A polled channel shows cards as past lines without buttons, so there is
 * nothing to change.
 */
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

/** The question of a delivered card, if it had ended by then; later endings close their own card. */
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
