/**
 * What whoever reads this object's chats gets: deliveries after a position, and meanwhile what is being written. A reader
 * waits for the next of either, in memory; one that is lost with the instance asks again. Must not decide who may read.
 * Called by PrincipalObject.
 */
import type { Delivery } from '../kernel/powers/ports.ts'
import type { Delivered } from '../kernel/runtime/shell-port.ts'
import { createDrafts, type Drafts, type NumberedDraft } from './drafts.ts'
import type { Driver } from './driver.ts'
import { createReaders, type DeliveryRequest } from './readers.ts'

/** Deliveries handed out at once: a reader that was away for long asks again. */
const PAGE = 100
/** Longest wait of a reader, milliseconds: it holds the object in memory. */
const MAX_WAIT = 25_000

export type StoredDelivery = Delivery & { readonly seq: number }

export interface Deliveries {
  /** Those after the position; waits for the next one when there is none yet. */
  after(
    request: DeliveryRequest,
    stored: Delivered,
    driver: Pick<Driver, 'watchExpiry'>,
  ): Promise<readonly StoredDelivery[]>
  /** What is being written in a chat; null where nothing was since this object woke. */
  latest(sink: string): NumberedDraft | null
  /** An outbox has grown. */
  wake(): void
  /** Where the egress step shows what is being written. */
  readonly drafts: Drafts
}

export function createDeliveries(): Deliveries {
  const readers = createReaders()
  const drafts = createDrafts(readers.wake)
  return {
    async after({ sink, after, draft, waitMs }, stored, driver) {
      const until = Date.now() + Math.min(waitMs, MAX_WAIT)
      if (draft !== undefined) drafts.watch(sink, until)
      const isNews = (): boolean => draft !== undefined && (drafts.latest(sink)?.number ?? draft) !== draft
      for (;;) {
        const seen = readers.seen()
        const found = await stored.deliveries(sink, after, PAGE)
        // What lies before `after` has been read, and goes in time.
        await driver.watchExpiry()
        if (found.length > 0 || isNews() || Date.now() >= until) return found
        await readers.wait(seen, until - Date.now())
      }
    },
    latest: drafts.latest,
    wake: readers.wake,
    drafts,
  }
}
