/**
 * A message that the owner wrote in the edge's bot chat (DESIGN §1), on its way home: a box sealed to home's key, and the data
 * it is bound to. Pure; must not close or open a box. Called by both ends of the tunnel and by body.ts.
 */
import * as z from 'zod/mini'
import type { SaidThere } from '../features/places/handover-port.ts'
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { A_WHILE } from '../tool/offline.ts'
import { boxOf } from '../vault/secret-offer.ts'
import { decodeText, encodeText } from '../vault/text.ts'
import { saidThereSchema } from './handed.ts'

/** Purpose of these boxes: they do not open as any other kind. */
export const KEPT_PURPOSE = 'pfar/kept-said/1'

type Name = z.ZodMiniType<string>

/**
 * Maximum base64url characters of a box. The longest answer to the longest message of a chat (4,096 characters), in any script,
 * fits twice, and the box is not cut into pieces.
 */
const MAX_SAID = 72_000

export const keptSaidSchema = (name: Name) =>
  z.strictObject({
    id: name,
    key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    at: z.int().check(z.nonnegative()),
    box: z.nullable(boxOf(MAX_SAID)),
  })

export interface KeptSaid {
  /** The channel's id of the message. A message is stored once and answered once. */
  readonly id: string
  /** `sealKeyId` of the key that the box is sealed to. */
  readonly key: string
  /** When it was written, epoch milliseconds by the edge's clock. */
  readonly at: number
  /** Base64url; null once the edge dropped it, because home did not fetch it in time or the owner turned this off. */
  readonly box: string | null
}

/** Additional data of the box. A box moved to another message, key or time does not open. */
export function keptBound({ id, key, at }: Omit<KeptSaid, 'box'>): Uint8Array {
  return encodeText(canonicalJson(['kept-said', 1, id, key, at]))
}

/**
 * Milliseconds between writing and leaving the edge at `sent`, both by the edge's clock, so that home's clock need not agree; 0
 * where the edge gives no time. Capped at the maximum storage time, whatever the edge reports.
 */
export function waitOf({ at }: Pick<KeptSaid, 'at'>, sent = at): number {
  return Math.min(Math.max(sent - at, 0), A_WHILE)
}

/** The plaintext of the box. */
export function packSaid({ text, quoted, version }: Omit<SaidThere, 'id'>): Uint8Array {
  return encodeText(canonicalJson({ text, quoted, ...(version !== undefined && { version }) }))
}

/** The message from the box's plaintext. Refusal: frame_malformed. */
export function unpackSaid(id: string, plain: Uint8Array): Result<SaidThere> {
  const packed = decoded(plain)
  if (typeof packed !== 'object' || packed === null) return err('frame_malformed')
  const parsed = z.safeParse(saidThereSchema(z.string()), { ...packed, id })
  return parsed.success ? ok(parsed.data) : err('frame_malformed')
}

function decoded(plain: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(plain))
  } catch {
    return null
  }
}
