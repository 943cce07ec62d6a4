/**
 * The owner's lock of the edge, as home says it (T-10): a reliable frame, and whether the edge has taken it. Must not
 * wait longer than a person does: a frame that is not taken yet stays in the outbox. Called by runtime.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ok, type Result } from '../kernel/flow/verdict.ts'
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { TunnelInbox } from './tunnel-inbox.ts'

/** Milliseconds that the command waits for the edge, and between looks. */
const PATIENCE = 5_000
const LOOK_EVERY = 50

export interface EdgeLockAnswer {
  /** False: the edge is away and will learn it as soon as it is back. */
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
