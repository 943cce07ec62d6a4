/**
 * Splits a provider's stream into whole frames: an event up to its empty line, or one line. A library's parser would re-read an
 * unfinished event with every chunk, so it gets each frame once, however the bytes are chunked. Limits bytes in total and per
 * frame. Must not interpret a frame. Called by provider-fetch.ts and sidecar/cli/line/line-connection.ts.
 */

/** `event`: server-sent events, each ended by an empty line. `line`: one JSON value per line. `whole`: not split. */
export type FrameKind = 'event' | 'line' | 'whole'

export interface FrameLimits {
  /** Maximum bytes in total, against an endless answer. */
  readonly maxBytes: number
  /** Maximum bytes of an unfinished frame. */
  readonly maxFrame: number
}

/** Thrown to the stream's reader when a limit is exceeded. */
export class TooLarge extends Error {}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Yields whole frames, then the unfinished rest. Throws `TooLarge`, and whatever the source throws. */
export async function* framesOf(
  source: AsyncIterable<Uint8Array>,
  kind: FrameKind,
  { maxBytes, maxFrame }: FrameLimits,
): AsyncGenerator<Uint8Array> {
  const needed = kind === 'event' ? 2 : 1
  let [total, size, newlines] = [0, 0, 0]
  let waiting: Uint8Array[] = []
  for await (const chunk of source) {
    total += chunk.byteLength
    if (total > maxBytes) throw new TooLarge()
    let ended = 0
    for (let at = 0; at < chunk.byteLength; at += 1) {
      const byte = chunk[at]
      if (byte === RETURN) continue
      newlines = byte === NEWLINE ? newlines + 1 : 0
      if (newlines >= needed) ended = at + 1
    }
    if (kind === 'whole') ended = chunk.byteLength
    if (ended > 0) {
      yield join([...waiting, chunk.subarray(0, ended)], size + ended)
      waiting = []
      size = 0
    }
    // Copied, because the platform may reuse its buffer.
    if (ended < chunk.byteLength) waiting.push(chunk.slice(ended))
    size += chunk.byteLength - ended
    if (size > maxFrame) throw new TooLarge()
  }
  if (size > 0) yield join(waiting, size)
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
