/**
 * Shares the tunnel outbox between the owner and everybody else (H-18): others may fill only part of it, so that while home is away
 * they cannot crowd out the owner's turns and questions. Also counts the pairing codes that others send, since all pass here. Must
 * not look into a body. Called by TunnelObject.
 */

import { MAX_ALL_GUESSES_AN_HOUR } from '../../kernel/features/people/invitations.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Waiting } from '../../kernel/tunnel/channel.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'
import type { TunnelOutbox } from '../tunnel-outbox.ts'

/** Share of everybody but the owner together, while home has not acknowledged it: half of `MOST_TOLD`. */
export const MOST_OF_OTHERS: Waiting = Object.freeze({ count: 250, bytes: 16 * 1_048_576 })

const OTHERS = 'others'
const GUESSES = 'guesses'
const HOUR = 3_600_000

/** A queued body: the sequence number of its last frame, and its size in UTF-16 units. */
interface Theirs {
  readonly seq: number
  readonly size: number
}

export interface TunnelTold {
  /** Checks that a body may be put. Refusals: those of `TunnelOutbox.fitting`; home_offline also when the others' share is full. */
  fitting(principal: string, body: Body, most?: Waiting): Result<Body>
  put(principal: string, body: Body): void
  /**
   * Counts a code that somebody sent. Refusal: remote_rate_limited, when everybody but the owner together has sent too many in an
   * hour.
   */
  guessed(principal: string): Result<true>
}

export interface TunnelToldInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put'>
  readonly outbox: Pick<TunnelOutbox, 'channel' | 'fitting' | 'put'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createTunnelTold({ kv, outbox, now }: TunnelToldInput): TunnelTold {
  const waiting = (): readonly Theirs[] => {
    const { base } = outbox.channel.owed()
    return (kv.get<readonly Theirs[]>(OTHERS) ?? []).filter(({ seq }) => seq > base)
  }
  const isFull = (): boolean => {
    const theirs = waiting()
    const size = theirs.reduce((sum, one) => sum + one.size, 0)
    return theirs.length >= MOST_OF_OTHERS.count || size >= MOST_OF_OTHERS.bytes
  }
  return {
    fitting(principal, body, most) {
      if (principal !== OWNER_PRINCIPAL && isFull())
        return err('home_offline', { waiting: 'too much of others' })
      return outbox.fitting(body, most)
    },
    put(principal, body) {
      const seq = outbox.put(body)
      if (principal === OWNER_PRINCIPAL) return
      kv.put(OTHERS, [...waiting(), { seq, size: JSON.stringify(body).length }])
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
