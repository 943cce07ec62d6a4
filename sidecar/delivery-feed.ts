/**
 * Pushes the terminal's outbox to every client that follows it. Rows are read from the store when the client has
 * room, so a slow reader costs a cursor and not a queue. Must not send rows out of order. Called by doors.ts;
 * woken by the sender port.
 */
import type { Delivered } from '../kernel/runtime/shell-port.ts'
import type { Client } from './line/app.ts'

export interface DeliveryFeed {
  /** Sends every row above `after`, and those to come, until the client goes. Once a client. */
  follow(client: Client, after: number): void
  /** Something was written to the outbox. */
  wake(): void
  /** Whether anybody follows. */
  watched(): boolean
  /** Shown once to who follows now; a later one or the answer takes its place. */
  draft(draft: { readonly task: string; readonly text: string }): void
}

/** Rows read at once. */
const BATCH = 20

interface Follower {
  readonly client: Client
  cursor: number
  pumping: boolean
  again: boolean
  /** A draft is on its way to him. */
  drafting: boolean
}

export function createDeliveryFeed(deliveries: Delivered['deliveries'], sink: string): DeliveryFeed {
  const followers = new Map<Client, Follower>()

  /** One batch; false when there is nothing more to send now. */
  const batch = async (follower: Follower): Promise<boolean> => {
    const rows = await deliveries(sink, follower.cursor, BATCH)
    for (const row of rows) {
      if (!(await follower.client.push('delivery', row))) return false
      follower.cursor = row.seq
    }
    return rows.length === BATCH
  }

  const pump = async (follower: Follower): Promise<void> => {
    follower.again = true
    if (follower.pumping) return
    follower.pumping = true
    try {
      while (follower.again && followers.has(follower.client)) {
        follower.again = false
        while (await batch(follower));
      }
    } catch {
      // The rows stay in the outbox; the next wake tries again.
    } finally {
      follower.pumping = false
    }
  }

  return {
    follow(client, after) {
      const follower = { client, cursor: after, pumping: false, again: false, drafting: false }
      followers.set(client, follower)
      client.onClose(() => followers.delete(client))
      void pump(follower)
    },
    watched: () => followers.size > 0,
    draft({ task, text }) {
      // Who has not read the last one sees a later one, or the answer: nothing piles up for him.
      for (const follower of followers.values()) {
        if (follower.drafting) continue
        follower.drafting = true
        const pushed = follower.client.push('draft', { task, text })
        void pushed.finally(() => {
          follower.drafting = false
        })
      }
    },
    wake() {
      for (const follower of followers.values()) void pump(follower)
    },
  }
}
