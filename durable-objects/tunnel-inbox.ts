/**
 * What home sends that must arrive: taken in order, the effect of each body before its acknowledgement, pieces until their
 * last one has come (T-04, T-12, T-13). Must not decide what a body does, nor end a connection. Called by TunnelObject.
 */
import { ok, type Result } from '../kernel/flow/verdict.ts'
import type { FrameOf } from '../kernel/tunnel/frame.ts'
import { PIECE_WITHIN } from '../kernel/tunnel/piece.ts'
import type { Effects } from './tunnel-effects.ts'
import type { TunnelOutbox } from './tunnel-outbox.ts'
import { attach, attachmentOf, send } from './tunnel-socket.ts'

export interface TunnelInbox {
  /**
   * True when it was acknowledged; false when what is missing before it was asked for. Refusals: those of
   * `Channel.join` and of the effect, for which the connection is to end.
   */
  take(socket: WebSocket, greeted: boolean, frame: FrameOf<'data'>): Promise<Result<boolean>>
}

export interface TunnelInboxInput {
  readonly outbox: Pick<TunnelOutbox, 'channel' | 'holdsPieces'>
  readonly effect: Effects
  /** Number of the newest connection. */
  readonly epoch: () => number
  /** A body is given up: its pieces cannot come whole any more. */
  readonly givenUp: (socket: WebSocket) => void
  /** The deadline for the next piece has changed. */
  readonly arm: () => Promise<void>
}

export function createTunnelInbox({ outbox, effect, epoch, givenUp, arm }: TunnelInboxInput): TunnelInbox {
  const { channel } = outbox
  /**
   * Before a hello only the first frame that is missing is answered: whoever says five at once would be asked five times for
   * all of them. Where that one is lost as well, the beat shows it, or the connection ends.
   */
  const askAgain = (socket: WebSocket, greeted: boolean, { seq }: FrameOf<'data'>): void => {
    const hello = channel.hello(epoch())
    if (greeted || seq === hello.received + 1) send(socket, hello)
  }
  /** A body that cannot come whole any more is given up, aloud: waiting for it would hold up everything behind it. */
  const run = async (socket: WebSocket, frame: FrameOf<'data'>): Promise<Result<true>> => {
    const whole = channel.join(frame)
    if (whole.ok) return whole.value === null ? ok(true) : effect(whole.value, frame.at)
    if (whole.reason.code !== 'frame_gap') return whole
    givenUp(socket)
    return ok(true)
  }
  /** With the socket, and by the object's alarm: bodies in one piece, which nearly all are, cost nothing here. */
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
