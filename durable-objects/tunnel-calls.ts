/**
 * What TunnelObject must remember beside the channel: whose call it was that home will answer, and the number of the newest connection. Must not outlive its use: entries are dropped when
 * their time has passed. Called by TunnelObject.
 */
export interface TunnelMemory {
  /** Notes a call; false when it was noted before: asking twice is asking once. */
  addCall(id: string, call: NotedCall): boolean
  /** Who asked; null when nobody did, or too long ago. */
  askedBy(id: string): string | null
  dropCall(id: string): void
  epoch(): number
  nextEpoch(): number
  /** Drops what no longer matters at `now`. */
  prune(now: number): void
}

export interface NotedCall {
  readonly principal: string
  /** Epoch milliseconds. */
  readonly deadline: number
}

/** A late answer is still told to its task, which knows whether it waits: milliseconds past the deadline. */
const CALL_GRACE = 24 * 3_600_000

/** Begins the names of the owner's messages that home was told of, among the calls that were. */
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
      // Forgotten first: a write that fails must not be believed.
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
