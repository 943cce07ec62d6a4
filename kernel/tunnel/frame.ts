/**
 * The frames of the link between edge and home: one tagged union, checked on arrival (DESIGN §7, T-04, T-11).
 * Text in, typed frame out; must not hold state. Called by channel.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'
import { allowed, isReasonCode, type ReasonCode, type Result, refused } from '../flow/verdict.ts'
import { encodeText } from '../vault/text.ts'
import { type Body, bodySchema, type EphemeralBody, ephemeralSchema } from './body.ts'
import { type EdgeProof, proofSchema } from './proof.ts'

export type { Body, EphemeralBody } from './body.ts'

/** Version of everything in this folder. A peer that speaks another is told so and served nothing (T-11). */
export const PROTOCOL_VERSION = 4

/** Bytes of a frame: the platform's limit for one message. A larger one is refused before it is parsed. */
export const MAX_FRAME_BYTES = 1_048_576

export type Frame =
  /**
   * First frame of each side. `received`: highest number of the peer that is durable here. `base`: everything of
   * ours up to it was acknowledged and is gone. `last`: highest number we ever used. `proof`: in the first hello of
   * the edge, and in no other.
   */
  | {
      readonly kind: 'hello'
      readonly version: number
      readonly epoch: number
      readonly received: number
      readonly base: number
      readonly last: number
      readonly proof: EdgeProof | null
    }
  /**
   * `at`: the sender's clock as this frame left (epoch milliseconds), on every sending anew. What a body says of
   * time is relative to it, so that two clocks need not agree (T-14).
   */
  | { readonly kind: 'data'; readonly seq: number; readonly body: Body; readonly at?: number }
  /** Everything up to `seq` is durable at the sender of this frame. */
  | { readonly kind: 'ack'; readonly seq: number }
  | { readonly kind: 'ephemeral'; readonly body: EphemeralBody }
  /** Why the sender of this frame will not go on. */
  | { readonly kind: 'refused'; readonly code: ReasonCode }

export type FrameOf<K extends Frame['kind']> = Extract<Frame, { readonly kind: K }>

const number = z.int().check(z.nonnegative())
const helloSchema = z.object({
  kind: z.literal('hello'),
  version: number,
  epoch: number,
  received: number,
  base: number,
  last: number,
  proof: z.nullable(proofSchema),
})

const frameSchema = z.discriminatedUnion('kind', [
  // Loose, so that another version's hello ends in `version_incompatible`, whatever its other fields are.
  z.looseObject({ kind: z.literal('hello'), version: number, epoch: number }),
  z.strictObject({
    kind: z.literal('data'),
    seq: z.int().check(z.positive()),
    body: bodySchema,
    at: z.exactOptional(number),
  }),
  z.strictObject({ kind: z.literal('ack'), seq: number }),
  z.strictObject({ kind: z.literal('ephemeral'), body: ephemeralSchema }),
  z.strictObject({ kind: z.literal('refused'), code: z.custom<ReasonCode>(isReasonCode) }),
])

/** Refusals: frame_too_large, frame_malformed, version_incompatible (a hello of another version). */
export function parseFrame(text: string): Result<Frame> {
  if (isTooLarge(text)) return refused('frame_too_large', { max: MAX_FRAME_BYTES })
  const decoded = decode(text)
  if (!decoded.ok) return decoded
  const parsed = z.safeParse(frameSchema, decoded.value)
  if (!parsed.success) return refused('frame_malformed')
  const frame = parsed.data
  if (frame.kind !== 'hello') return allowed(frame)
  if (frame.version !== PROTOCOL_VERSION)
    return refused('version_incompatible', { theirs: frame.version, ours: PROTOCOL_VERSION })
  const hello = z.safeParse(helloSchema, frame)
  return hello.success ? allowed(hello.data) : refused('frame_malformed')
}

export function encodeFrame(frame: Frame): string {
  return JSON.stringify(frame)
}

/**
 * Whether a body may be handed to `Channel.send`; refusal: frame_too_large. Asked before it is stored, because a
 * body in the outbox that no peer accepts would hold up everything behind it for ever.
 */
export function checkBody(body: Body): Result<true> {
  const text = encodeFrame({ kind: 'data', seq: Number.MAX_SAFE_INTEGER, body, at: Number.MAX_SAFE_INTEGER })
  return isTooLarge(text) ? refused('frame_too_large', { max: MAX_FRAME_BYTES }) : allowed(true)
}

function isTooLarge(text: string): boolean {
  return text.length > MAX_FRAME_BYTES || encodeText(text).length > MAX_FRAME_BYTES
}

function decode(text: string): Result<unknown> {
  try {
    return allowed(JSON.parse(text))
  } catch {
    return refused('frame_malformed')
  }
}
