/**
 * A body too large for one frame is cut into consecutively numbered pieces, so that order, acknowledgement and exactly-once
 * processing apply to them as to frames (DESIGN §7, T-04, T-12). Each piece carries the digest of the whole. Pure; must not
 * store pieces: the channel's store does. Called by channel.ts and frame.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import type { DeepReadonly } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { encodeText } from '../vault/text.ts'
import { type Body, parseBody } from './body.ts'

/**
 * Maximum bytes of a body as text. A larger body is refused before it is stored, because an end must hold a whole body in
 * memory.
 */
export const MAX_BODY_BYTES = 8 * 1_048_576

/** Bytes reserved in a frame for everything but the text of its piece; more than needed. */
const HEADER_BYTES = 1_024
/**
 * UTF-16 units of text that always fit into a frame of this many bytes: JSON within JSON takes at most three bytes for each.
 */
export function unitsIn(frameBytes: number): number {
  return Math.floor((frameBytes - HEADER_BYTES) / 3)
}

/** Maximum bytes of a frame: the platform's limit for one message. A larger one is refused before it is parsed. */
export const MAX_FRAME_BYTES = 1_048_576
const PIECE_UNITS = unitsIn(MAX_FRAME_BYTES)

/**
 * Maximum milliseconds between two pieces of a body on an open connection: one frame over the slowest line. Stops a peer that
 * begins a body and then only sends heartbeats, so that its pieces would stay stored.
 */
export const PIECE_WITHIN = 600_000

/** Maximum number of pieces of a body; reached by a text with one byte per character. */
export const MAX_PIECES = Math.ceil(MAX_BODY_BYTES / PIECE_UNITS)

const count = z.int().check(z.nonnegative())
/** Does not check the numbers: `checkPiece` does, with a reason for each. */
export const pieceSchema = z.strictObject({
  type: z.literal('piece'),
  /** Index of this piece: 0 to `of` - 1. */
  n: count,
  of: count,
  /** SHA-256 of the whole text, hex, so that pieces of two bodies are never joined. */
  sum: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  text: z.string().check(z.minLength(1), z.maxLength(PIECE_UNITS)),
})
export type Piece = DeepReadonly<z.output<typeof pieceSchema>>

/** A stored piece without its text. `bytes`: size of its text. */
export interface StoredPiece extends Pick<Piece, 'n' | 'of' | 'sum'> {
  readonly seq: number
  readonly bytes: number
}

/**
 * Checks a piece's numbers. Refusals: frame_too_large (too many pieces), frame_malformed (index out of range, or a single
 * piece).
 */
export function checkPiece({ n, of }: Pick<Piece, 'n' | 'of'>): Result<true> {
  if (of > MAX_PIECES) return err('frame_too_large', { pieces: of, max: MAX_PIECES })
  return of >= 2 && n < of ? ok(true) : err('frame_malformed', { piece: n, of })
}

/**
 * Cuts a body's text into pieces of `units` UTF-16 units. A surrogate pair may be cut: JSON carries each half, and joining
 * restores it.
 */
export function cutBody(text: string, units: number): readonly Piece[] {
  const of = Math.ceil(text.length / units)
  const sum = sumOf(text)
  return Array.from({ length: of }, (_, n) => {
    const part = text.slice(n * units, (n + 1) * units)
    return { type: 'piece', n, of, sum, text: part }
  })
}

/**
 * Whether this piece continues the stored ones. Refusals: frame_gap (an earlier piece is missing or belongs to another body, as
 * after one end lost its state), frame_too_large (more bytes than a body may have).
 */
export function checkContinues(
  kept: readonly StoredPiece[],
  { seq, piece }: { readonly seq: number; readonly piece: Piece },
): Result<true> {
  const { n, of, sum } = piece
  const bySeq = new Map(kept.map((one) => [one.seq, one]))
  let bytes = bytesOf(piece.text)
  for (let at = 1; at <= n; at += 1) {
    const before = bySeq.get(seq - at)
    if (before === undefined || before.n !== n - at || before.of !== of || before.sum !== sum)
      return err('frame_gap', { piece: n, of })
    bytes += before.bytes
  }
  return bytes > MAX_BODY_BYTES ? err('frame_too_large', { max: MAX_BODY_BYTES }) : ok(true)
}

/** The body from its complete text. Refusal: frame_malformed (the digest does not match, or it is not a valid body). */
export function joinPieces(texts: readonly string[], sum: string): Result<Body> {
  const text = texts.join('')
  if (sumOf(text) !== sum) return err('frame_malformed')
  try {
    return parseBody(JSON.parse(text))
  } catch {
    return err('frame_malformed')
  }
}

export function bytesOf(text: string): number {
  return encodeText(text).length
}

function sumOf(text: string): string {
  return bytesToHex(sha256(encodeText(text)))
}
