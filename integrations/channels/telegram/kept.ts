/**
 * What a line at Telegram keeps beside the store: small values by name, durable when `put` returns. Ids, digests and numbers of
 * messages alone: must not be handed a word of anybody's. The edge's is the object's storage, home's a table. Called by the
 * files of this folder.
 */
import type { SentPart, SentShelf } from './sent.ts'

export interface KeptPort {
  get<T>(name: string): T | undefined
  put<T>(name: string, value: T): void
}

const SENT = 'telegram-sent'
/** Deliveries whose messages are remembered: one that is told again, or changed, is among the newest. */
const REMEMBERED = 50

interface SentDelivery {
  readonly delivery: string
  readonly parts: readonly SentPart[]
}

export function createShelf(kept: KeptPort): SentShelf {
  const all = (): readonly SentDelivery[] => kept.get<readonly SentDelivery[]>(SENT) ?? []
  return {
    load: (delivery) => all().find((one) => one.delivery === delivery)?.parts ?? [],
    save(delivery, parts) {
      const others = all().filter((one) => one.delivery !== delivery)
      kept.put(SENT, [...others, { delivery, parts }].slice(-REMEMBERED))
    },
  }
}
