/**
 * TunnelObject's state beside the channel: which principal made a call that home will answer, the number of the newest connection,
 * and the share of everybody but the owner in the outbox (H-18), so that they cannot crowd out the owner. Must not look into a
 * body. Called by TunnelObject.
 */
import { MAX_ALL_GUESSES_AN_HOUR } from '../../kernel/features/people/invitations.ts'
import type { OpenMemory } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Waiting } from '../../kernel/tunnel/channel.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { MOST_SYNC_QUEUED, type TunnelOutbox } from './outbox.ts'

export interface TunnelMemory {
  /** Records a call; false when it was recorded before: enqueueing is idempotent. */
  addCall(id: string, call: NotedCall): boolean
  /** The calling principal; null when there was no such call, or too long ago. */
  askedBy(id: string): string | null
  dropCall(id: string): void
  epoch(): number
  nextEpoch(): number
  /** Drops entries whose time has passed at `now`. */
  prune(now: number): void
}

interface NotedCall {
  readonly principal: string
  /** Epoch milliseconds. */
  readonly deadline: number
}

/** Milliseconds after its deadline in which an answer still reaches its task, which knows whether it waits. */
const CALL_GRACE = 24 * 3_600_000

/** Key prefix, among the recorded calls, for ids of owner messages sent to home. */
export const SAID = 'said:'

const CALL = 'call:'
const EPOCH = 'epoch'

export function createTunnelMemory(kv: SyncKvStorage): TunnelMemory {
  let newest: number | null = null
  const epoch = (): number => {
    newest ??= kv.get<number>(EPOCH) ?? 0
    return newest
  }
  return {
    addCall(id, call) {
      if (kv.get(CALL + id) !== undefined) return false
      kv.put(CALL + id, call)
      return true
    },
    askedBy: (id) => kv.get<NotedCall>(CALL + id)?.principal ?? null,
    dropCall: (id) => void kv.delete(CALL + id),
    epoch,
    nextEpoch() {
      const next = epoch() + 1
      // The cache is cleared first, so that a failed write leaves no wrong value.
      newest = null
      kv.put(EPOCH, next)
      newest = next
      return next
    },
    prune(now) {
      for (const [key, call] of [...kv.list<NotedCall>({ prefix: CALL })])
        if (call.deadline + CALL_GRACE < now) kv.delete(key)
    },
  }
}

/** Share of everybody but the owner together, while home has not acknowledged it: half of `MOST_SYNC_QUEUED`. */
export const MOST_OF_OTHERS: Waiting = Object.freeze({ count: 250, bytes: 16 * 1_048_576 })

const OTHERS = 'others'
const GUESSES = 'guesses'
const HOUR = 3_600_000

/** A queued body: the sequence number of its last frame, and its size in UTF-16 units. */
interface Theirs {
  readonly seq: number
  readonly size: number
}

export interface TunnelSync {
  /** Checks that a body may be put. Refusals: those of `TunnelOutbox.fitting`; home_offline also when the others' share is full. */
  fitting(principal: string, body: Body, most?: Waiting): Result<Body>
  put(principal: string, body: Body): void
  /** Queues a memory until home has it; home drops duplicates. Refusals: those of `fitting`. */
  memory(memory: OpenMemory): Result<true>
  /**
   * Counts a code that somebody sent. Refusal: remote_rate_limited, when everybody but the owner together has sent too many in an
   * hour.
   */
  guessed(principal: string): Result<true>
}

interface TunnelSyncInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put'>
  readonly outbox: Pick<TunnelOutbox, 'channel' | 'fitting' | 'put'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createTunnelSync({ kv, outbox, now }: TunnelSyncInput): TunnelSync {
  const waiting = (): readonly Theirs[] => {
    const { base } = outbox.channel.owed()
    return (kv.get<readonly Theirs[]>(OTHERS) ?? []).filter(({ seq }) => seq > base)
  }
  const isFull = (): boolean => {
    const theirs = waiting()
    const size = theirs.reduce((sum, one) => sum + one.size, 0)
    return theirs.length >= MOST_OF_OTHERS.count || size >= MOST_OF_OTHERS.bytes
  }
  const fitting = (principal: string, body: Body, most?: Waiting): Result<Body> =>
    principal !== OWNER_PRINCIPAL && isFull()
      ? err('home_offline', { waiting: 'too much of others' })
      : outbox.fitting(body, most)
  const put = (principal: string, body: Body): void => {
    const seq = outbox.put(body)
    if (principal === OWNER_PRINCIPAL) return
    kv.put(OTHERS, [...waiting(), { seq, size: JSON.stringify(body).length }])
  }
  return {
    fitting,
    put,
    memory(memory) {
      const body = fitting(memory.principal, { type: 'memory', memory }, MOST_SYNC_QUEUED)
      if (body.ok) put(memory.principal, body.value)
      return body.ok ? ok(true) : body
    },
    guessed(principal) {
      if (principal === OWNER_PRINCIPAL) return ok(true)
      const hour = Math.floor(now() / HOUR)
      const known = kv.get<{ readonly hour: number; readonly count: number }>(GUESSES)
      const count = known?.hour === hour ? known.count : 0
      if (count >= MAX_ALL_GUESSES_AN_HOUR) return err('remote_rate_limited')
      kv.put(GUESSES, { hour, count: count + 1 })
      return ok(true)
    },
  }
}
