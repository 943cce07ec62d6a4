/**
 * A body that is too large for one frame travels as pieces of its text, each under a number of its own, so that all the
 * channel does for frames (order, acknowledgement, once) it does for pieces (DESIGN §7, T-04, T-12). The pieces of one
 * body have numbers without a gap, and each names the whole. Pure; must not keep pieces: the channel's store does.
 * Called by channel.ts and frame.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../flow/verdict.ts'
import { encodeText } from '../vault/text.ts'
import { type Body, parseBody } from './body.ts'

/** Bytes of a body as text. What is larger is refused before it is stored: an end must hold a whole body in memory. */
export const MAX_BODY_BYTES = 8 * 1_048_576

/** Bytes of a frame that are not the text of its piece; more than enough. */
const HEADER_BYTES = 1_024
/** UTF-16 units of text that always fit into a frame of so many bytes: each is at most three of them as JSON of JSON. */
export function unitsIn(frameBytes: number): number {
  return Math.floor((frameBytes - HEADER_BYTES) / 3)
}

/** Bytes of a frame: the platform's limit for one message. A larger one is refused before it is parsed. */
export const MAX_FRAME_BYTES = 1_048_576
const PIECE_UNITS = unitsIn(MAX_FRAME_BYTES)

/**
 * Milliseconds from one piece of a body to the next on a connection that stands: a frame over the slowest of lines. A peer
 * that begins a body and then only beats must not have its pieces kept for as long as it likes.
 */
export const PIECE_WITHIN = 600_000

/** Pieces of a body whose text is all of one byte a letter, which has the most of them. */
export const MAX_PIECES = Math.ceil(MAX_BODY_BYTES / PIECE_UNITS)

export interface Piece {
  readonly type: 'piece'
  /** Which of them: 0 to `of` - 1. */
  readonly n: number
  readonly of: number
  /** SHA-256 of the whole text, hex: pieces of two bodies never become one. */
  readonly sum: string
  readonly text: string
}

/** A piece without its text, as it is found again. `bytes`: of its text. */
export interface KeptPiece extends Pick<Piece, 'n' | 'of' | 'sum'> {
  readonly seq: number
  readonly bytes: number
}

const count = z.int().check(z.nonnegative())
/** Loose about its numbers: `checkPiece` says which of them is wrong. */
export const pieceSchema = z.strictObject({
  type: z.literal('piece'),
  n: count,
  of: count,
  sum: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  text: z.string().check(z.minLength(1), z.maxLength(PIECE_UNITS)),
})

/** What a piece says of itself. Refusals: frame_too_large (of too many), frame_malformed (none of them, or the only one). */
export function checkPiece({ n, of }: Pick<Piece, 'n' | 'of'>): Result<true> {
  if (of > MAX_PIECES) return err('frame_too_large', { pieces: of, max: MAX_PIECES })
  return of >= 2 && n < of ? ok(true) : err('frame_malformed', { piece: n, of })
}

/** Cuts the text of a body into pieces of so many UTF-16 units. A letter of two units may be cut in two: JSON carries each half, and they meet again. */
export function cutBody(text: string, units: number): readonly Piece[] {
  const of = Math.ceil(text.length / units)
  const sum = sumOf(text)
  return Array.from({ length: of }, (_, n) => {
    const part = text.slice(n * units, (n + 1) * units)
    return { type: 'piece', n, of, sum, text: part }
  })
}

/**
 * Whether the piece with number `seq` goes on where the kept ones end. Refusals: frame_gap (one before it is missing, or
 * belongs to another body, as after one end lost its state), frame_too_large (more bytes than a body may have).
 */
export function checkContinues(
  kept: readonly KeptPiece[],
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

/** The body whose text has come whole. Refusal: frame_malformed (another text than was announced, or no body). */
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
