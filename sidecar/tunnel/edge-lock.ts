/**
 * Locks or unlocks the edge by the owner's order (T-10): sends a reliable frame and reports whether the edge has
 * acknowledged it. Waits only briefly; an unacknowledged frame stays in the outbox. Called by edge-connection.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import type { TunnelInbox } from './tunnel-inbox.ts'

/** Milliseconds: how long the command waits for the acknowledgement, and how often it checks. */
const PATIENCE = 5_000
const LOOK_EVERY = 50

export interface EdgeLockAnswer {
  /** False: the edge is not connected and receives the order when it reconnects. */
  readonly done: boolean
}

export async function lockEdge(
  { inbox, channel }: { readonly inbox: Pick<TunnelInbox, 'tell'>; readonly channel: ChannelStore },
  locked: boolean,
): Promise<Result<EdgeLockAnswer>> {
  const seq = inbox.tell({ type: 'lock', locked })
  const waits = (): boolean => channel.out(seq - 1).some((row) => row.seq === seq)
  for (const end = Date.now() + PATIENCE; waits() && Date.now() < end; ) await pause(LOOK_EVERY)
  return ok({ done: !waits() })
}
