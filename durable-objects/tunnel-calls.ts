/**
 * TunnelObject's state beside the channel: which principal made a call that home will answer, and the number of the newest
 * connection. Entries must be dropped when their time has passed. Called by TunnelObject.
 */
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

export interface NotedCall {
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
