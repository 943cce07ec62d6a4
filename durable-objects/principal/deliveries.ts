/**
 * Long-poll reads of this object's chats: deliveries after a position, and the draft of an answer meanwhile (D-10). A reader waits
 * in memory, with a deadline of its own; one that is lost with the instance asks again. Must not decide who may read. Called by
 * PrincipalObject, and as a port by the egress step.
 */
import type { Draft, DraftPort } from '../../kernel/features/deliveries/work-port.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { Delivered } from '../../kernel/runtime/shell-port.ts'
import type { Driver } from './driver.ts'

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

interface Readers {
  /** Increases with every `wake`. Read it before looking for deliveries, so that none is missed between looking and waiting. */
  seen(): number
  /** Resolves at once if `wake` was called since `seen`, else at the next call or after `ms` milliseconds. */
  wait(seen: number, ms: number): Promise<void>
  wake(): void
}

export interface DeliveryRequest {
  readonly sink: string
  readonly after: number
  readonly waitMs: number
  /** Number of the draft that the reader saw last, 0 for none; a newer one ends the wait. Absent: the reader shows no drafts. */
  readonly draft?: number | undefined
}

/** Most concurrent readers: a device sends one request at a time; more is an attack on memory, and the oldest is released. */
const MAX_READERS = 32

function createReaders(): Readers {
  const waiting = new Set<() => void>()
  let wakes = 0
  return {
    seen: () => wakes,
    wait: (seen, ms) =>
      new Promise((resolve) => {
        if (seen !== wakes) return resolve()
        const go = (): void => {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        const timer = setTimeout(go, Math.max(0, ms))
        waiting.add(go)
        const [oldest] = waiting
        if (waiting.size > MAX_READERS && oldest !== undefined) oldest()
      }),
    wake() {
      wakes += 1
      for (const go of [...waiting]) go()
    },
  }
}

/** Milliseconds after a reader's request in which it still counts as present: it is about to ask again. */
const STILL_THERE = 2_000
/** Most chats with a stored draft; an owner's open line is one chat. */
const MOST_CHATS = 16

export interface NumberedDraft extends Pick<Draft, 'task' | 'text'> {
  /** Increases with each draft. */
  readonly number: number
}

export interface Drafts extends DraftPort {
  /** Records a waiting reader, until this time (epoch milliseconds) at the latest. */
  watch(sink: string, until: number): void
  latest(sink: string): NumberedDraft | null
  /** A delivery was written to this chat: its draft is removed. */
  end(sink: string): void
}

/** `wake` notifies waiting readers of a new draft. */
function createDrafts(wake: () => void): Drafts {
  const watchedUntil = new Map<string, number>()
  const drafts = new Map<string, NumberedDraft>()
  let number = 0
  return {
    watch(sink, until) {
      if (watchedUntil.size >= MOST_CHATS) watchedUntil.clear()
      watchedUntil.set(sink, Math.max(watchedUntil.get(sink) ?? 0, until + STILL_THERE))
    },
    watched: (sink) => (watchedUntil.get(sink) ?? 0) > Date.now(),
    show({ sink, task, text }) {
      number += 1
      if (drafts.size >= MOST_CHATS) drafts.clear()
      drafts.set(sink, { number, task, text })
      wake()
    },
    latest: (sink) => drafts.get(sink) ?? null,
    end: (sink) => void drafts.delete(sink),
  }
}
