/**
 * Owner messages for home in the tunnel outbox (DESIGN §1), each in a box that only home opens. Sent at once while home is
 * connected; while it is away, tracks how many wait, until when, and which are discarded unread. Must not store a box itself, and
 * cannot open one. Called by TunnelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { QueuedMessage } from '../../kernel/tunnel/queued-message.ts'
import { SAID, type TunnelMemory } from './calls.ts'
import { MOST_SYNC_QUEUED, type TunnelOutbox } from './outbox.ts'

/** Most messages queued while home is away: a person writes a few; more would crowd out the calls in the same outbox. */
export const MOST_QUEUED_MESSAGES = 16

const WORDS = 'words:'

/** `there`: refuse when home is away. */
export type KeepWhen = 'always' | 'there'

/**
 * `waiting`: counts what home has not acknowledged. `drop`: discards messages that were never sent; `drop_all`: discards all.
 * `told`: the owner has been notified of the discarded ones.
 */
export type QueueRequest = 'waiting' | 'drop' | 'drop_all' | 'told'

interface Noted {
  readonly kept: Omit<QueuedMessage, 'box'>
  /** Sequence number of its body in the outbox. */
  readonly seq: number
  /** Epoch milliseconds after which home must not answer it. */
  readonly until: number
  /** Sent, so home may have it. */
  readonly sent: boolean
  /** Discarded, and the owner has not been notified yet. */
  readonly empty: boolean
}

export interface MessageQueue {
  /**
   * Queues a message once, until home has it or until `until`; null for a body that nobody waits for, which is not counted.
   * Refusals: edge_locked, home_offline (home is away and `there` was asked, or too much waits), those of `TunnelOutbox.fitting`.
   */
  keep(kept: QueuedMessage, until: number | null, when: KeepWhen): Result<'said' | 'again'>
  /** The queue was sent to home as far as the window goes: home may have those messages. */
  sent(): void
  /** Discards messages whose time is over. */
  expire(now: number): void
  /** Number of messages that wait, or that were discarded without a notice yet. */
  ask(what: QueueRequest): number
}

interface MessageQueueInput {
  readonly kv: SyncKvStorage
  readonly outbox: TunnelOutbox
  readonly memory: Pick<TunnelMemory, 'addCall' | 'askedBy'>
  /** Whether home has said hello and has missed fewer than three beats. */
  readonly there: () => boolean
}

export function createMessageQueue({ kv, outbox, memory, there }: MessageQueueInput): MessageQueue {
  const keyOf = ({ seq }: Noted): string => `${WORDS}${seq}`
  /** Cached in memory: each hello and acknowledgement reads it. */
  let none = false
  /** Entries that home has acknowledged are deleted in passing. */
  const noted = (): readonly Noted[] => {
    if (none) return []
    const all = [...kv.list<Noted>({ prefix: WORDS })].map(([, one]) => one)
    const had = all.filter(({ empty, seq }) => !empty && !outbox.holds(seq))
    for (const one of had) kv.delete(keyOf(one))
    none = all.length === had.length
    return all.filter((one) => !had.includes(one))
  }
  const waiting = (): readonly Noted[] => noted().filter(({ empty }) => !empty)
  const empty = (one: Noted): void => {
    outbox.replace(one.seq, { type: 'kept_said', kept: { ...one.kept, box: null } })
    kv.put(keyOf(one), { ...one, empty: true })
  }
  /** Idempotent by id, whatever became of the first delivery. */
  const once = (id: string, take: () => Result<true>): Result<'said' | 'again'> => {
    if (memory.askedBy(SAID + id) !== null) return ok('again')
    const taken = take()
    if (!taken.ok) return taken
    memory.addCall(SAID + id, { principal: OWNER_PRINCIPAL, deadline: Date.now() })
    return ok('said')
  }
  return {
    keep: (kept, until, when) =>
      once(kept.id, () => {
        if (outbox.isLocked()) return err('edge_locked')
        const sent = there()
        if (when === 'there' && !sent) return err('home_offline')
        if (until !== null && !sent && waiting().length >= MOST_QUEUED_MESSAGES)
          return err('home_offline', { waiting: MOST_QUEUED_MESSAGES })
        const body = outbox.fitting({ type: 'kept_said', kept }, MOST_SYNC_QUEUED)
        if (!body.ok) return body
        const seq = sent ? outbox.put(body.value) : outbox.keep(body.value)
        if (until === null) return ok(true)
        const { box: _, ...bare } = kept
        const one: Noted = { kept: bare, seq, until, sent, empty: false }
        none = false
        kv.put(keyOf(one), one)
        return ok(true)
      }),
    sent() {
      if (outbox.isLocked()) return
      const fresh = waiting().filter((one) => !one.sent)
      const upTo = fresh.length === 0 ? 0 : outbox.channel.owed().sent
      for (const one of fresh) if (one.seq <= upTo) kv.put(keyOf(one), { ...one, sent: true })
    },
    expire(now) {
      for (const one of waiting()) if (one.until <= now) empty(one)
    },
    ask(what) {
      if (what === 'waiting') return waiting().length
      const gone = (): readonly Noted[] => noted().filter((one) => one.empty)
      if (what === 'told') for (const one of gone()) kv.delete(keyOf(one))
      else for (const one of waiting()) if (what === 'drop_all' || !one.sent) empty(one)
      return gone().length
    },
  }
}
