/**
 * In-memory cache of the channel's two counters and stored pieces: every frame reads them, and the object is their only writer (an
 * eviction drops the cache with the object). Must not assign numbers. Called by tunnel-outbox.ts.
 */
import type { ChannelStore } from '../kernel/tunnel/channel.ts'
import type { KeptPiece } from '../kernel/tunnel/piece.ts'

export function rememberCursors(store: ChannelStore): ChannelStore {
  let received: number | null = null
  let next: number | null = null
  let pieces: readonly KeptPiece[] | null = null
  return {
    ...store,
    received() {
      received ??= store.received()
      return received
    },
    setReceived(seq) {
      // The cache is cleared first, so that a failed write leaves no wrong value.
      received = null
      store.setReceived(seq)
      received = seq
    },
    allocate() {
      next ??= store.allocate()
      return next
    },
    putOut(rows) {
      next = null
      store.putOut(rows)
    },
    pieces() {
      pieces ??= store.pieces()
      return pieces
    },
    putPiece(piece, text) {
      pieces = null
      store.putPiece(piece, text)
    },
    dropPieces(upTo) {
      pieces = null
      store.dropPieces(upTo)
    },
  }
}
