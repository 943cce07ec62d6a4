/**
 * The frames of the link between edge and home: one tagged union, validated on arrival (DESIGN §7, T-04, T-11). Text in, typed
 * frame out. Must not hold state. Called by channel.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'
import type { DeepReadonly } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { isReasonCode, type ReasonCode } from '../reasons.ts'
import { pauseSyncSchema } from '../task/pause.ts'
import { type Body, bodySchema, ephemeralSchema } from './body.ts'
import { proofSchema } from './pairing.ts'
import { bytesOf, checkPiece, MAX_BODY_BYTES, MAX_FRAME_BYTES, type Piece, pieceSchema } from './piece.ts'
import { unlinkedSchema } from './synced.ts'

export type { Body, EphemeralBody } from './body.ts'
export { MAX_FRAME_BYTES } from './piece.ts'

/** Version of the protocol in this folder. A peer with another version is refused with that reason (T-11). */
export const PROTOCOL_VERSION = 14

/** What one numbered frame carries: a body, or a piece of a larger one. */
export type Carried = Body | Piece

const number = z.int().check(z.nonnegative())
/** First frame of each side. */
const helloSchema = z.object({
  kind: z.literal('hello'),
  version: number,
  epoch: number,
  /** Highest number of the peer that is durable here. */
  received: number,
  /** Every own number up to it was acknowledged and dropped. */
  base: number,
  /** Highest own number ever used. */
  last: number,
  /** Only in the edge's first hello. */
  proof: z.nullable(proofSchema),
  /** The sender's pause state; a new hello is sent whenever it changes. Absent from a peer without one. */
  pause: z.exactOptional(pauseSyncSchema),
  /** Edge only: identity links that the owner ended there while home still lists them. */
  unlinked: z.exactOptional(unlinkedSchema),
})

const dataSchema = z.strictObject({
  kind: z.literal('data'),
  seq: z.int().check(z.positive()),
  body: z.discriminatedUnion('type', [bodySchema, pieceSchema]),
  /**
   * The sender's clock when this frame left (epoch milliseconds), renewed at every resend. Times in the body are relative to it,
   * so the two clocks need not agree (T-14).
   */
  at: z.exactOptional(number),
})
/** Everything up to `seq` is durable at the sender of this frame. */
const ackSchema = z.strictObject({ kind: z.literal('ack'), seq: number })
const ephemeralFrameSchema = z.strictObject({ kind: z.literal('ephemeral'), body: ephemeralSchema })
/** Why the sender of this frame ends the connection. */
const refusedSchema = z.strictObject({ kind: z.literal('refused'), code: z.custom<ReasonCode>(isReasonCode) })

const frameSchema = z.discriminatedUnion('kind', [
  // Loose, so that another version's hello is refused as `version_incompatible`, whatever its other fields are.
  z.looseObject({ kind: z.literal('hello'), version: number, epoch: number }),
  dataSchema,
  ackSchema,
  ephemeralFrameSchema,
  refusedSchema,
])

export type Frame = DeepReadonly<
  | z.output<typeof helloSchema>
  | z.output<typeof dataSchema>
  | z.output<typeof ackSchema>
  | z.output<typeof ephemeralFrameSchema>
  | z.output<typeof refusedSchema>
>
export type FrameOf<K extends Frame['kind']> = Extract<Frame, { readonly kind: K }>

/** Refusals: frame_too_large, frame_malformed, version_incompatible (a hello of another version). */
export function parseFrame(text: string): Result<Frame> {
  if (isTooLarge(text)) return err('frame_too_large', { max: MAX_FRAME_BYTES })
  const decoded = decode(text)
  if (!decoded.ok) return decoded
  const parsed = z.safeParse(frameSchema, decoded.value)
  if (!parsed.success) return err('frame_malformed')
  const frame = parsed.data
  if (frame.kind === 'data' && frame.body.type === 'piece') {
    const piece = checkPiece(frame.body)
    if (!piece.ok) return piece
  }
  if (frame.kind !== 'hello') return ok(frame)
  if (frame.version !== PROTOCOL_VERSION)
    return err('version_incompatible', { theirs: frame.version, ours: PROTOCOL_VERSION })
  const hello = z.safeParse(helloSchema, frame)
  return hello.success ? ok(hello.data) : err('frame_malformed')
}

export function encodeFrame(frame: Frame): string {
  return JSON.stringify(frame)
}

/**
 * Whether a body may be passed to `Channel.send`. Refusal: frame_too_large. Checked before it is stored, because a body in the
 * outbox that no peer accepts would block everything behind it for ever.
 */
export function checkBody(body: Body): Result<true> {
  const fits = bytesOf(JSON.stringify(body)) <= MAX_BODY_BYTES
  return fits ? ok(true) : err('frame_too_large', { max: MAX_BODY_BYTES })
}

/** Upper bound of the bytes of the frame that carries this body, for any number and time. */
export function frameBytes(body: Carried): number {
  return bytesOf(
    encodeFrame({ kind: 'data', seq: Number.MAX_SAFE_INTEGER, body, at: Number.MAX_SAFE_INTEGER }),
  )
}

function isTooLarge(text: string): boolean {
  // A UTF-16 unit is at most three bytes, so nearly every frame passes without being encoded.
  if (text.length * 3 <= MAX_FRAME_BYTES) return false
  return text.length > MAX_FRAME_BYTES || bytesOf(text) > MAX_FRAME_BYTES
}

function decode(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text))
  } catch {
    return err('frame_malformed')
  }
}
