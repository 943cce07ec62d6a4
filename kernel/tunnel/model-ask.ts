/**
 * Ephemeral frames by which the edge asks a model at home, and its answer (D-03, T-04). A call that is cut off is made again.
 * Data and limits; both ends validate on arrival. Must not decide who may ask: `serveModelAsk` does. Called by body.ts and by
 * both ends of the tunnel.
 */
import * as z from 'zod/mini'
import type { Json } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import type { AnswerSchema } from '../inference/provider.ts'
import type { Layout } from '../prompt/layout.ts'
import { PURPOSES, type Purpose } from '../prompt/mode.ts'
import { PICTURE_TYPES, type Picture } from '../task/picture.ts'

/** Version of the prompt's layout. Changing it changes the protocol. */
export const PROMPT_FORM = 1

export interface ModelAsk {
  /** Unique on its connection. */
  readonly id: string
  /** The edge's number of the connection. On another connection the request is ignored. */
  readonly epoch: number
  readonly principal: string
  /** The model's name in home's offer (`LentModel`). */
  readonly model: string
  readonly purpose: Purpose
  readonly form: typeof PROMPT_FORM
  readonly prompt: Layout
  /** Present for the purpose `look` only. */
  readonly picture?: Picture
  readonly provenance: Provenance
  readonly maxTokens: number
  /** Milliseconds from arrival, so that the two clocks need not agree. */
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
  /** `after`: milliseconds to wait before the next request. */
  | { readonly ok: false; readonly reason: string; readonly after?: number }
)

/** A local model that home offers to the edge. What it may read is limited by the edge's own clearance, whatever is claimed. */
export interface LentModel {
  /** Name of its provider in home's configuration. */
  readonly name: string
  /** True for a vision model, which gets no other requests. */
  readonly sees?: true
  /** Context window, tokens; absent where home does not say. */
  readonly window?: number | undefined
}

/** Maximum answer tokens and milliseconds of a request: a compromised edge must not keep home's machine busy. */
const MOST_TOKENS = 16_384
const MOST_TIME = 600_000
/** Maximum parts of a conversation, and UTF-16 units of a schema's name. */
const MOST_PIECES = 2_000
const MOST_NAME = 64
/** Maximum UTF-16 units of an answer. */
export const MOST_TEXT = 262_144
/** Maximum number of offered models; equals how many can be configured. */
const MOST_LENT = 16

/** Maximum base64 characters of a picture (four for three bytes). */
const MOST_PICTURE_TEXT = 800_000

const count = z.int().check(z.nonnegative())

const picture = z.strictObject({
  mediaType: z.enum(PICTURE_TYPES),
  data: z.string().check(z.minLength(1), z.maxLength(MOST_PICTURE_TEXT), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
})

/** `json` and `provenance`: the schemas that the other bodies use. */
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
