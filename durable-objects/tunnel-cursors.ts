/**
 * The two counters of the channel, and which pieces are kept, in the object's memory beside their rows: each frame asks for them, and the object is
 * their only writer (an eviction ends the memory with the object). Must not number anything. Called by tunnel-outbox.ts.
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
      // Forgotten first: a write that fails must not be believed.
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
