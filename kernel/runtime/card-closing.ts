/**
 * Cards of questions that ended elsewhere than by a tap on them: by the clock, in another chat, by a typed word, with the message that
 * they came of. Each loses its buttons and says how it ended. Kept in memory: after a crash a tap on such a card does the same. Must not
 * decide. Called by the shell.
 */
import { hasAtOnce } from '../pipeline/deliver.ts'
import type { Powers } from '../powers/ports.ts'
import type { Approval } from '../task/approval.ts'
import { closeCard } from './asking.ts'
import { endedWords } from './endings.ts'

export interface CardClosing {
  /** The card of this question, as it was put, is over. */
  add(approval: Pick<Approval, 'id' | 'task'>): void
  /** After that, for whoever is to hear of it. */
  after(tell: () => Promise<unknown>): void
  /** Does it all; what a channel does not take is left as it is. */
  settle(): Promise<void>
}

/** Delivery of the card of one question. */
export function cardDelivery({ id, task }: Pick<Approval, 'id' | 'task'>): string {
  return `${task === '' ? 'card' : task}:${id}`
}

export function createCardClosing(powers: Powers): CardClosing {
  const due: (() => Promise<unknown>)[] = []
  return {
    add(approval) {
      due.push(() => close(powers, approval))
    },
    after: (tell) => void due.push(tell),
    async settle() {
      for (let next = due.shift(); next !== undefined; next = due.shift()) await next()
    },
  }
}

/** Where a channel is read by asking, a card is a line of the past and has no buttons. */
async function close(powers: Powers, approval: Pick<Approval, 'id' | 'task'>): Promise<void> {
  const delivery = cardDelivery(approval)
  const row = powers.store.findDelivery(delivery)
  if (row?.kind !== 'card' || !hasAtOnce(powers, row.sink)) return
  const words = endedWords(powers, approval.id)
  if (words !== null) await closeCard(powers, { approval: row.approval ?? approval.id, delivery, words })
}
