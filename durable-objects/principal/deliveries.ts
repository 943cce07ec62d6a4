/**
 * Long-poll reads of this object's chats: deliveries after a position, and the draft of an answer meanwhile. A reader waits in
 * memory for the next of either; one that is lost with the instance asks again. Must not decide who may read. Called by
 * PrincipalObject.
 */
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { Delivered } from '../../kernel/runtime/shell-port.ts'
import { createDrafts, type Drafts, type NumberedDraft } from './drafts.ts'
import type { Driver } from './driver.ts'
import { createReaders, type DeliveryRequest } from './readers.ts'

/** Most deliveries in one response: a reader with more to fetch asks again. */
const PAGE = 100
/** Longest wait of a reader, milliseconds: it keeps the object in memory. */
const MAX_WAIT = 25_000

export type StoredDelivery = Delivery & { readonly seq: number }

export interface Deliveries {
  /** Deliveries after the position. When there are none, waits for the next one. */
  after(
    request: DeliveryRequest,
    stored: Delivered,
    driver: Pick<Driver, 'watchExpiry'>,
  ): Promise<readonly StoredDelivery[]>
  /** The newest draft in a chat; null when there was none since this object woke. */
  latest(sink: string): NumberedDraft | null
  /** Wakes waiting readers: an outbox has a new row. */
  wake(): void
  /** Where the egress step writes drafts. */
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
        // Rows before `after` have been read and expire later: the alarm must see to that.
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
