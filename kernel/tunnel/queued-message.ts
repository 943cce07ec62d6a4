/**
 * A message that the owner wrote in the edge's bot chat (DESIGN §1), on its way home: a box sealed
 * to home's key, and the data that it is bound to; also work that one place passes to the other, and
 * its results. Pure; must not close or open a box. Called by both ends of the tunnel and by body.ts.
 */
import * as z from 'zod/mini'
import { DOINGS } from '../features/deliveries/work-port.ts'
import type { RemoteMessage } from '../features/places/handover-port.ts'
import { canonicalJson, type DeepReadonly } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { EVENT_BOUNDS } from '../task/event.ts'
import { OFFLINE_WAIT } from '../tool/manifest.ts'
import { boxOf } from '../vault/secret-offer.ts'
import { decodeText, encodeText } from '../vault/text.ts'

/** Purpose of these boxes: they do not open as any other kind. */
export const QUEUE_PURPOSE = 'pfar/kept-said/1'

type Name = z.ZodMiniType<string>

/**
 * Maximum base64url characters of a box. The longest answer to the longest message of a chat (4,096 characters), in any script,
 * fits twice, and the box is not cut into pieces.
 */
const MAX_MESSAGE_BYTES = 72_000

export const queuedMessageSchema = (name: Name) =>
  z.strictObject({
    /** The channel's id of the message. A message is stored once and answered once. */
    id: name,
    /** `sealKeyId` of the key that the box is sealed to. */
    key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** When it was written, epoch milliseconds by the edge's clock. */
    at: z.int().check(z.nonnegative()),
    /** Base64url; null once the edge dropped it, because home did not fetch it in time or the owner turned this off. */
    box: z.nullable(boxOf(MAX_MESSAGE_BYTES)),
  })
export type QueuedMessage = DeepReadonly<z.output<ReturnType<typeof queuedMessageSchema>>>

/** Additional data of the box. A box moved to another message, key or time does not open. */
export function queuedBound({ id, key, at }: Omit<QueuedMessage, 'box'>): Uint8Array {
  return encodeText(canonicalJson(['kept-said', 1, id, key, at]))
}

/**
 * Milliseconds between writing and leaving the edge at `sent`, both by the edge's clock, so that home's clock need not agree; 0
 * where the edge gives no time. Capped at the maximum storage time, whatever the edge reports.
 */
export function waitOf({ at }: Pick<QueuedMessage, 'at'>, sent = at): number {
  return Math.min(Math.max(sent - at, 0), OFFLINE_WAIT)
}

/** The plaintext of the box. */
export function packMessage({ text, quoted, version }: Omit<RemoteMessage, 'id'>): Uint8Array {
  return encodeText(canonicalJson({ text, quoted, ...(version !== undefined && { version }) }))
}

/** The message from the box's plaintext. Refusal: frame_malformed. */
export function unpackMessage(id: string, plain: Uint8Array): Result<RemoteMessage> {
  const packed = decoded(plain)
  if (typeof packed !== 'object' || packed === null) return err('frame_malformed')
  const parsed = z.safeParse(remoteMessageSchema(z.string()), { ...packed, id })
  return parsed.success ? ok(parsed.data) : err('frame_malformed')
}

function decoded(plain: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(plain))
  } catch {
    return null
  }
}

/** Maximum UTF-16 units of a text for the chat: at four bytes each it fits one frame. */
export const MOST_DELIVERED = 200_000
/** Maximum number of steps that a progress report may name. */
const MOST_STEPS = 100

const words = z.string().check(z.maxLength(EVENT_BOUNDS.text))

const remoteMessageSchema = (name: Name) =>
  z.strictObject({
    ...{ id: name, text: words, quoted: z.array(words).check(z.maxLength(EVENT_BOUNDS.quoted)) },
    version: z.exactOptional(z.enum(['edited', 'elsewhere'])),
  })

export const deliveredTextSchema = (name: Name) =>
  z.strictObject({
    ...{ id: name, label: name, kind: z.enum(['answer', 'notice']), said: z.exactOptional(name) },
    text: z.string().check(z.maxLength(MOST_DELIVERED)),
  })

/** A step number. May exceed the steps of a plan and carries no other information. */
const step = z.int().check(z.nonnegative(), z.maximum(MOST_STEPS))

export const homeWorkSchema = (name: Name) =>
  z.discriminatedUnion('on', [
    z.strictObject({ on: z.literal('call'), id: name, task: name }),
    z.strictObject({
      ...{ on: z.literal('said'), id: name },
      how: z.nullable(
        z.strictObject({
          ...{ doing: z.enum(DOINGS), step, steps: step },
          shown: z.exactOptional(z.literal(true)),
        }),
      ),
    }),
    z.strictObject({ on: z.literal('rest'), id: name }),
  ])

export const handoverResultSchema = (name: Name) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ id: name, ok: z.literal(true) }),
    z.strictObject({
      ...{ id: name, ok: z.literal(false), reason: name },
      after: z.exactOptional(z.int().check(z.nonnegative())),
    }),
  ])
