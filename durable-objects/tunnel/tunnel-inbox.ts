/**
 * Reliable frames from home: taken in order, with each body's effect before its acknowledgement, and pieces collected until the
 * last has come (T-04, T-12, T-13). Must not decide what a body does, nor end a connection. Called by TunnelObject.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import { PIECE_WITHIN } from '../../kernel/tunnel/piece.ts'
import type { TunnelOutbox } from '../tunnel-outbox.ts'
import type { Effects } from './tunnel-effects.ts'
import { attach, attachmentOf, send } from './tunnel-socket.ts'

export interface TunnelInbox {
  /**
   * True when the frame was acknowledged; false when missing frames before it were requested. Refusals end the connection: those of
   * `Channel.join` and of the effect.
   */
  take(socket: WebSocket, greeted: boolean, frame: FrameOf<'data'>): Promise<Result<boolean>>
}

export interface TunnelInboxInput {
  readonly outbox: Pick<TunnelOutbox, 'channel' | 'holdsPieces'>
  readonly effect: Effects
  /** Number of the newest connection. */
  readonly epoch: () => number
  /** A body was dropped because its pieces cannot be completed. */
  readonly givenUp: (socket: WebSocket) => void
  /** The deadline for the next piece has changed. */
  readonly arm: () => Promise<void>
}

export function createTunnelInbox({ outbox, effect, epoch, givenUp, arm }: TunnelInboxInput): TunnelInbox {
  const { channel } = outbox
  /**
   * Before home's hello only the first missing frame is requested: five frames at once would otherwise cause five requests for all.
   * If that request is lost, the beat shows it, or the connection ends.
   */
  const askAgain = (socket: WebSocket, greeted: boolean, { seq }: FrameOf<'data'>): void => {
    const hello = channel.hello(epoch())
    if (greeted || seq === hello.received + 1) send(socket, hello)
  }
  /** A body that cannot be completed is dropped and reported: waiting for it would block everything behind it. */
  const run = async (socket: WebSocket, frame: FrameOf<'data'>): Promise<Result<true>> => {
    const whole = channel.join(frame)
    if (whole.ok) return whole.value === null ? ok(true) : effect(whole.value, frame.at)
    if (whole.reason.code !== 'frame_gap') return whole
    givenUp(socket)
    return ok(true)
  }
  /** Writes the deadline to the socket's attachment and the alarm. Bodies in one piece, which are nearly all, cost nothing here. */
  const noteProgress = async (socket: WebSocket): Promise<void> => {
    const held = attachmentOf(socket)
    const pieceBy = outbox.holdsPieces() ? Date.now() + PIECE_WITHIN : null
    if (held === null || (held.pieceBy === null && pieceBy === null)) return
    attach(socket, { ...held, pieceBy })
    await arm()
  }
  return {
    async take(socket, greeted, frame) {
      const verdict = greeted ? channel.onData(frame) : 'gap'
      if (verdict === 'gap') {
        askAgain(socket, greeted, frame)
        return ok(false)
      }
      if (verdict === 'deliver') {
        const done = await run(socket, frame)
        if (!done.ok) return done
      }
      send(socket, channel.accepted(frame))
      await noteProgress(socket)
      return ok(true)
    },
  }
}
