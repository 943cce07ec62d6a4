/**
 * The edge's question to a model of home's, and what comes back (D-03, T-04): frames that may be lost and touch no disk, as
 * a model call that is cut off is simply made again. Data and its bounds; both ends check on arrival. Must not decide who
 * may ask: `serveModelAsk` does. Called by body.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'
import type { Json } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import type { AnswerSchema } from '../inference/provider.ts'
import type { Layout } from '../prompt/layout.ts'
import { PURPOSES, type Purpose } from '../prompt/mode.ts'
import { PICTURE_TYPES, type Picture } from '../task/picture.ts'

/** Layout of the prompt inside: another one is another protocol. */
export const PROMPT_FORM = 1

export interface ModelAsk {
  /** Counts once on its connection. */
  readonly id: string
  /** The edge's number of the connection that it goes by: on another one it is nobody's. */
  readonly epoch: number
  readonly principal: string
  /** As home named it (`LentModel`). */
  readonly model: string
  readonly purpose: Purpose
  readonly form: typeof PROMPT_FORM
  readonly prompt: Layout
  /** Of the purpose `look`, and of no other. */
  readonly picture?: Picture
  readonly provenance: Provenance
  readonly maxTokens: number
  /** Milliseconds from its arrival, which no clock need agree on. */
  readonly timeout: number
  readonly schema?: AnswerSchema
}

export type ModelTold = { readonly id: string; readonly epoch: number } & (
  | {
      readonly ok: true
      readonly text: string
      readonly cut: boolean
      readonly tokens: { readonly input: number; readonly output: number }
    }
  /** `after`: milliseconds for which home wants to be left alone. */
  | { readonly ok: false; readonly reason: string; readonly after?: number }
)

/** A local model that home offers the edge; what it may read is the edge's own clearance, and nobody's word. */
export interface LentModel {
  /** Of its provider in home's configuration. */
  readonly name: string
  /** It looks at pictures, and is asked nothing else. */
  readonly sees?: true
  /** Tokens; absent where home does not say. */
  readonly window?: number | undefined
}

/** Tokens of an answer, and milliseconds, that may be asked for: a taken-over edge must not keep home's machine busy. */
const MOST_TOKENS = 16_384
const MOST_TIME = 600_000
/** Pieces of a conversation, and UTF-16 units of the name of a schema. */
const MOST_PIECES = 2_000
const MOST_NAME = 64
/** UTF-16 units of an answer that are taken at all. */
export const MOST_TEXT = 262_144
/** Models that may be offered, as many as may be set up. */
const MOST_LENT = 16

/** Characters of a picture as base64, four for three bytes. */
const MOST_PICTURE_TEXT = 800_000

const count = z.int().check(z.nonnegative())

const picture = z.strictObject({
  mediaType: z.enum(PICTURE_TYPES),
  data: z.string().check(z.minLength(1), z.maxLength(MOST_PICTURE_TEXT), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
})

/** `json` and `provenance`: as a body's other parts are checked. */
export function askSchema(parts: {
  readonly name: z.ZodMiniType<string>
  readonly json: z.ZodMiniType<Json>
  readonly provenance: z.ZodMiniType<Provenance>
}) {
  const { name, json, provenance } = parts
  return z.strictObject({
    id: name,
    epoch: count,
    principal: name,
    model: name,
    purpose: z.enum(PURPOSES),
    form: z.literal(PROMPT_FORM),
    prompt: z.strictObject({
      stable: z.string(),
      session: z.string(),
      history: z.array(z.string()).check(z.maxLength(MOST_PIECES)),
      now: z.string(),
    }),
    picture: z.exactOptional(picture),
    provenance,
    maxTokens: z.int().check(z.minimum(1), z.maximum(MOST_TOKENS)),
    timeout: z.int().check(z.minimum(1), z.maximum(MOST_TIME)),
    schema: z.exactOptional(
      z.strictObject({
        name: z.string().check(z.regex(/^[a-z_]+$/), z.maxLength(MOST_NAME)),
        schema: z.record(z.string(), json),
      }),
    ),
  })
}

export const toldSchema = (name: z.ZodMiniType<string>) =>
  z.discriminatedUnion('ok', [
    z.strictObject({
      id: name,
      epoch: count,
      ok: z.literal(true),
      text: z.string().check(z.maxLength(MOST_TEXT)),
      cut: z.boolean(),
      tokens: z.strictObject({ input: count, output: count }),
    }),
    z.strictObject({
      id: name,
      epoch: count,
      ok: z.literal(false),
      reason: name,
      after: z.exactOptional(count),
    }),
  ])

export const lentSchema = z
  .array(
    z.strictObject({
      name: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,31}$/)),
      window: z.optional(z.int().check(z.positive())),
      sees: z.exactOptional(z.literal(true)),
    }),
  )
  .check(z.maxLength(MOST_LENT))
