/**
 * Ephemeral frames by which the edge asks home to read one of the owner's files (B-27, H-15) or to run a model for
 * it, and the answers. If one is lost, the asker asks again. Data and limits; both ends validate on arrival. Must
 * not trust the stated kind of a file: the reader inspects the bytes. Called by body.ts and both ends of the tunnel.
 */
import * as z from 'zod/mini'
import type { DeepReadonly, Json } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import { PURPOSES } from '../prompt/mode.ts'
import { PICTURE_TYPES } from '../task/picture.ts'

/** Kinds that home may be asked to read. A closed list: adding one changes the protocol. */
const ASKED_KINDS = ['pdf', 'document', 'sound'] as const
export type AskedKind = (typeof ASKED_KINDS)[number]

/** Maximum bytes of such a file: as base64, with its metadata, it fits one frame (`MAX_FRAME_BYTES`). */
export const MOST_FORWARDED = 768_000
/** The same limit in base64 characters (four for three bytes). */
const MOST_BASE64 = 1_024_000
/** Maximum UTF-16 units of text that are accepted. No writer is shown more from all files together. */
export const MOST_READ = 20_000
/** Maximum page count that a PDF may report, and UTF-16 units of a document's title. They are only displayed. */
const MOST_PAGES = 1_000_000
export const MOST_TITLE = 300

const count = z.int().check(z.nonnegative())

export const fileAskSchema = (name: z.ZodMiniType<string>) =>
  z.strictObject({
    id: name,
    /** The edge's number of the connection. On another connection the request is ignored. */
    epoch: count,
    /** Kind that the edge detected. */
    kind: z.enum(ASKED_KINDS),
    bytes: z.string().check(z.minLength(1), z.maxLength(MOST_BASE64), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  })
export type FileAsk = DeepReadonly<z.output<ReturnType<typeof fileAskSchema>>>

export const fileAnswerSchema = (name: z.ZodMiniType<string>) =>
  z.discriminatedUnion('ok', [
    z.strictObject({
      ...{ id: name, epoch: count, ok: z.literal(true) },
      text: z.string().check(z.maxLength(MOST_READ)),
      pages: z.exactOptional(count.check(z.maximum(MOST_PAGES))),
      title: z.exactOptional(z.string().check(z.maxLength(MOST_TITLE))),
    }),
    z.strictObject({ id: name, epoch: count, ok: z.literal(false), reason: name }),
  ])
export type FileAnswer = DeepReadonly<z.output<ReturnType<typeof fileAnswerSchema>>>

/** Version of the prompt's layout. Changing it changes the protocol. */
export const PROMPT_FORM = 1

/** Maximum answer tokens and milliseconds of a request: a compromised edge must not keep home's machine busy. */
const MOST_TOKENS = 16_384
const MOST_TIME = 600_000
/** Maximum parts of a conversation, and UTF-16 units of a schema's name. */
const MOST_PIECES = 2_000
const MOST_NAME = 64
/** Maximum UTF-16 units of an answer. */
export const MOST_TEXT = 262_144
/** Maximum number of offered models; equals how many can be configured. */
const MOST_REMOTE_MODELS = 16

/** Maximum base64 characters of a picture (four for three bytes). */
const MOST_PICTURE_TEXT = 800_000

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
    /** Unique on its connection. */
    id: name,
    /** The edge's number of the connection. On another connection the request is ignored. */
    epoch: count,
    principal: name,
    /** The model's name in home's offer (`RemoteModelList`). */
    model: name,
    purpose: z.enum(PURPOSES),
    form: z.literal(PROMPT_FORM),
    prompt: z.strictObject({
      stable: z.string(),
      session: z.string(),
      history: z.array(z.string()).check(z.maxLength(MOST_PIECES)),
      now: z.string(),
    }),
    /** Present for the purpose `look` only. */
    picture: z.exactOptional(picture),
    provenance,
    maxTokens: z.int().check(z.minimum(1), z.maximum(MOST_TOKENS)),
    /** Milliseconds from arrival, so that the two clocks need not agree. */
    timeout: z.int().check(z.minimum(1), z.maximum(MOST_TIME)),
    schema: z.exactOptional(
      z.strictObject({
        name: z.string().check(z.regex(/^[a-z_]+$/), z.maxLength(MOST_NAME)),
        schema: z.record(z.string(), json),
      }),
    ),
  })
}
export type ModelAsk = DeepReadonly<z.output<ReturnType<typeof askSchema>>>

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
      /** Milliseconds to wait before the next request. */
      after: z.exactOptional(count),
    }),
  ])
export type ModelResponse = DeepReadonly<z.output<ReturnType<typeof toldSchema>>>

/** A local model that home offers to the edge. What it may read is limited by the edge's own clearance, whatever is claimed. */
const remoteModels = z.strictObject({
  /** Name of its provider in home's configuration. */
  name: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,31}$/)),
  /** Context window, tokens; absent where home does not say. */
  window: z.optional(z.int().check(z.positive())),
  /** True for a vision model, which gets no other requests. */
  sees: z.exactOptional(z.literal(true)),
})
export type RemoteModelList = DeepReadonly<z.output<typeof remoteModels>>

export const remoteModelSchema = z.array(remoteModels).check(z.maxLength(MOST_REMOTE_MODELS))
