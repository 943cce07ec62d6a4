/**
 * Queue of deliveries for a chat that cannot be reached (F-18, Q-19): admission, backoff and limits. Its order is the
 * order of the answers. Must not send. Called by deliver.ts and resend.ts.
 */
import { err, ok, type Refusal, type Result } from '../../flow/verdict.ts'
import type { Clock } from '../../powers/ports.ts'
import type { OutboxRow, StoreOf, Transactions } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { WaitingDelivery, WaitingStore } from './waiting-port.ts'

/**
 * Maximum deliveries queued for one chat, and maximum bytes of their texts: an outage must not fill the disk, nor the chat
 * afterwards.
 */
export const MOST_WAITING = 200
export const MOST_WAITING_BYTES = 1_000_000
/** Milliseconds before the second attempt; every later wait is `WAIT_GROWTH` times as long, up to `LONGEST_WAIT`. */
export const FIRST_WAIT = 2_000
const WAIT_GROWTH = 4
export const LONGEST_WAIT = 900_000
/** Maximum wait that a channel may request, milliseconds: a wrong number must not silence a chat for days. */
export const LONGEST_ASKED_WAIT = 3_600_000

/** Milliseconds that a delivery waits for its chat; an answer that is still wanted later will be requested again. */
export const WAITS_AT_MOST = 24 * 3_600_000

/** Prefix of the ids of notices about deliveries that were given up. */
export const LAST_WORD = 'lost:'

type Line = Clock & StoreOf<Transactions & WaitingStore>

/** Channel failures that may be temporary. */
const PASSING: readonly ReasonCode[] = [
  'network_failed',
  'response_timeout',
  'remote_unavailable',
  'remote_rate_limited',
]

export function isPassing(code: ReasonCode): boolean {
  return PASSING.includes(code)
}

export function isWaitedFor({ store }: StoreOf<WaitingStore>, sink: string): boolean {
  return store.waiting().some((one) => one.sink === sink)
}

interface Joining {
  readonly row: Pick<OutboxRow, 'id' | 'principal' | 'sink'>
  readonly asked: number
  readonly bytes: number
  /** Why it was not accepted; null when it was not attempted. */
  readonly failed: Refusal | null
}

/**
 * Appends to the queue, once. The first entry is then due soon, since a person writing in the chat suggests that it
 * works. Refusal: outbox_full, which leaves the queue unchanged.
 */
export function joinLine({ store, now }: Line, { row, asked, bytes, failed }: Joining): Result<true> {
  const { id, principal, sink } = row
  const line = store.waiting().filter((one) => one.sink === sink)
  if (line.some((one) => one.id === id)) return ok(true)
  const size = line.reduce((sum, one) => sum + one.bytes, bytes)
  const isFull = line.length >= MOST_WAITING || size > MOST_WAITING_BYTES
  if (isFull && !id.startsWith(LAST_WORD)) return err('outbox_full', { sink })
  const at = now()
  const [first] = line
  const joined = { id, principal, sink, asked, since: at, bytes, told: first?.told ?? false }
  const fresh = { ...joined, due: at, held: false, attempts: 0 }
  store.transaction(() => {
    if (first !== undefined && !first.held && first.due > at) store.putWaiting({ ...first, due: at })
    store.putWaiting(failed === null ? fresh : afterFailure(fresh, at, failed))
  })
  return ok(true)
}

/** Backoff grows by attempt; never shorter than the channel requested, within bounds. */
export function afterFailure(row: WaitingDelivery, at: number, { facts }: Refusal): WaitingDelivery {
  const { retryAfter } = facts
  const asked = typeof retryAfter === 'number' ? Math.min(LONGEST_ASKED_WAIT, retryAfter) : 0
  const own = Math.min(LONGEST_WAIT, FIRST_WAIT * WAIT_GROWTH ** row.attempts)
  return { ...row, due: at + Math.max(own, asked), held: asked > own, attempts: row.attempts + 1 }
}
