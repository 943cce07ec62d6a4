/**
 * What the owner wrote in his chat with the edge's bot (DESIGN §1), on its way home: a box that home alone can open, and what it is
 * bound to. Pure; must not close or open a box. Called by both ends of the tunnel and by body.ts.
 */
import * as z from 'zod/mini'
import type { SaidThere } from '../features/places/handover-port.ts'
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { A_WHILE } from '../tool/offline.ts'
import { boxOf } from '../vault/secret-offer.ts'
import { decodeText, encodeText } from '../vault/text.ts'
import { saidThereSchema } from './handed.ts'

/** Boxes made for this do not open as anything else. */
export const KEPT_PURPOSE = 'pfar/kept-said/1'

type Name = z.ZodMiniType<string>

/** Characters of a box, base64url: the longest answer to the longest message of a chat (4,096 characters), in any script, fits twice, and none is cut into pieces. */
const MAX_SAID = 72_000

export const keptSaidSchema = (name: Name) =>
  z.strictObject({
    id: name,
    key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    at: z.int().check(z.nonnegative()),
    box: z.nullable(boxOf(MAX_SAID)),
  })

export interface KeptSaid {
  /** The channel's id of the message: the same one is kept once, and answered once. */
  readonly id: string
  /** `sealKeyId` of the key that the box was closed for. */
  readonly key: string
  /** When it was written, epoch milliseconds of the edge. */
  readonly at: number
  /** Base64url; null once the edge threw it away, since home did not come for it in time or its owner wanted no more. */
  readonly box: string | null
}

/** Additional data of the box: moved to another message, key or time it does not open. */
export function keptBound({ id, key, at }: Omit<KeptSaid, 'box'>): Uint8Array {
  return encodeText(canonicalJson(['kept-said', 1, id, key, at]))
}

/**
 * Milliseconds from when it was written until it left the edge at `sent`, both by that clock, so that home's need not agree; none where
 * the edge does not say. No more than it can have been kept for, whatever the edge says.
 */
export function waitOf({ at }: Pick<KeptSaid, 'at'>, sent = at): number {
  return Math.min(Math.max(sent - at, 0), A_WHILE)
}

/** What is put into the box. */
export function packSaid({ text, quoted, version }: Omit<SaidThere, 'id'>): Uint8Array {
  return encodeText(canonicalJson({ text, quoted, ...(version !== undefined && { version }) }))
}

/** What was in the box of this message. Refusal: frame_malformed. */
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
