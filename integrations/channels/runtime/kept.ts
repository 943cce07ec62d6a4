/**
 * What a line keeps beside the store: small values by name, durable when `put` returns, and what was sent of each delivery, so that
 * nothing is said twice. Ids, digests and numbers of messages alone: must not be handed a word of anybody's. The edge's is the
 * object's storage, home's a table. Called by the channels, at the place that holds the token.
 */

export interface KeptPort {
  get<T>(name: string): T | undefined
  put<T>(name: string, value: T): void
}

/** How services call a chat or a message: by numbers, or by words. */
export type Called = number | string

/** One message that stands in a chat, and a digest of what it says. */
export interface SentPart<Id extends Called = number> {
  readonly message: Id
  readonly said: string
}

/** What was sent of each delivery, durable at once; of old ones it may forget. */
export interface SentShelf<Id extends Called = number> {
  load(delivery: string): readonly SentPart<Id>[]
  save(delivery: string, parts: readonly SentPart<Id>[]): void
}

/** Deliveries whose messages are remembered: one that is told again, or changed, is among the newest. */
const REMEMBERED = 50

interface SentDelivery<Id extends Called> {
  readonly delivery: string
  readonly parts: readonly SentPart<Id>[]
}

/** `channel`: its name, under which its values stand. */
export function createShelf<Id extends Called = number>(kept: KeptPort, channel: string): SentShelf<Id> {
  const name = `${channel}-sent`
  const all = (): readonly SentDelivery<Id>[] => kept.get<readonly SentDelivery<Id>[]>(name) ?? []
  return {
    load: (delivery) => all().find((one) => one.delivery === delivery)?.parts ?? [],
    save(delivery, parts) {
      const others = all().filter((one) => one.delivery !== delivery)
      kept.put(name, [...others, { delivery, parts }].slice(-REMEMBERED))
    },
  }
}
