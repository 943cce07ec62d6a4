/**
 * Pushes the terminal's outbox to every connected client. Reads rows from the store only when the client has room, so a slow
 * client costs a cursor and not a queue. Must not send rows out of order. Called by wiring.ts and doors.ts; the sender port calls
 * `wake`.
 */
import type { Delivered } from '../../kernel/runtime/shell-port.ts'
import type { Client } from './app.ts'

export interface DeliveryFeed {
  /** Sends every row above `after`, and all later ones, until the client disconnects. Call once per client. */
  follow(client: Client, after: number): void
  /** Call after a row was written to the outbox. */
  wake(): void
  watched(): boolean
  /** Sends a draft once to the clients that are connected now. A later draft or the answer replaces it. */
  draft(draft: { readonly task: string; readonly text: string }): void
}

const BATCH = 20

interface Follower {
  readonly client: Client
  cursor: number
  pumping: boolean
  again: boolean
  /** The previous draft has not been sent completely. */
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
      // The rows stay in the outbox; the next `wake` tries again.
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
      // A client that is still receiving a draft skips this one: drafts do not queue up.
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
