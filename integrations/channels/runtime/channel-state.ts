/**
 * Small durable state of a channel's line: values by name, durable when `put` returns, and the messages sent for each delivery, so
 * that none is sent twice. Only ids, digests and counters; stores no text. The edge's is the object's storage, home's a table.
 * Called by the channels, at the place that holds the token.
 */

export interface ChannelState {
  get<T>(name: string): T | undefined
  put<T>(name: string, value: T): void
}

/** A service's id of a chat or message: a number or a string. */
export type Called = number | string

/** One message in a chat, and a digest of its content. */
export interface SentPart<Id extends Called = number> {
  readonly message: Id
  readonly said: string
}

/** Messages sent for each delivery, durable at once; old entries may be dropped. */
export interface SentStore<Id extends Called = number> {
  load(delivery: string): readonly SentPart<Id>[]
  save(delivery: string, parts: readonly SentPart<Id>[]): void
}

/** Deliveries with stored message ids: one that is sent again, or changed, is among the newest. */
const REMEMBERED = 50

interface SentDelivery<Id extends Called> {
  readonly delivery: string
  readonly parts: readonly SentPart<Id>[]
}

/** `channel`: name of the channel, prefix of its values. */
export function createSentStore<Id extends Called = number>(
  kept: ChannelState,
  channel: string,
): SentStore<Id> {
  const name = `${channel}-sent`
  // Read once: nothing else writes it.
  let known: readonly SentDelivery<Id>[] | null = null
  const all = (): readonly SentDelivery<Id>[] => {
    known ??= kept.get<readonly SentDelivery<Id>[]>(name) ?? []
    return known
  }
  return {
    load: (delivery) => all().find((one) => one.delivery === delivery)?.parts ?? [],
    save(delivery, parts) {
      const others = all().filter((one) => one.delivery !== delivery)
      const now = [...others, { delivery, parts }].slice(-REMEMBERED)
      // The cache is cleared first, so that a failed write leaves no wrong value.
      known = null
      kept.put(name, now)
      known = now
    },
  }
}
