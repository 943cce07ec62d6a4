/**
 * The contents of a frame: calls and answers between edge and home, replicated state, sealed secrets, and the owner's profile
 * (T-04, X-03, E-02). Everything is validated on arrival; an answer's label is only a claim, and the reader's own registry
 * overrides it. Must not know about numbering. Called by frame.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'
import { type DeepReadonly, isPlainRecord, isSafeKey, type Json } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import { parseProvenance } from '../flow/provenance.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { toldSchema } from '../self/synced-self.ts'
import { offerSchema, sealKeySchema } from '../vault/secret-offer.ts'
import { askSchema, fileAnswerSchema, fileAskSchema, toldSchema as modelToldSchema } from './ask.ts'
import {
  deliveredTextSchema,
  handoverResultSchema,
  homeWorkSchema,
  queuedMessageSchema,
} from './queued-message.ts'
import {
  codeUseSchema,
  syncedGrantsSchema,
  syncedLinksSchema,
  syncedPeopleSchema,
  unsentSchema,
} from './synced.ts'

/** Maximum nesting of arguments and outputs: a megabyte of `[` must not overflow the stack of the code that walks it. */
const MAX_DEPTH = 32
/** Maximum times of reminders: an owner has few in two weeks, and a compromised home must not fill the edge. */
const MAX_DUE = 100
/** Maximum length of an id, a name or a label, UTF-16 units: they are copied into rows and audit lines. */
const MAX_NAME = 200

const name = z.string().check(z.minLength(1), z.maxLength(MAX_NAME))
const count = z.int().check(z.nonnegative())
const json = z.custom<Json>((input) => isJson(input, MAX_DEPTH))
const provenance = z.pipe(
  z.unknown(),
  z.transform((input, context): Provenance => {
    const parsed = parseProvenance(input)
    if (parsed.ok) return parsed.value
    context.issues.push({ code: 'custom', input, message: parsed.reason.code })
    return z.NEVER
  }),
)

const answered = { id: name, task: name, step: count }
const homeCall = z.strictObject({
  ...answered,
  trace: name,
  template: name,
  principal: name,
  tool: name,
  args: json,
  provenance,
  deadline: count,
  sink: z.exactOptional(name),
})
const homeAnswer = z.discriminatedUnion('ok', [
  z.strictObject({
    ...answered,
    ok: z.literal(true),
    output: json,
    label: name,
    inputs: provenance,
    reported: z.nullable(name),
  }),
  z.strictObject({ ...answered, ok: z.literal(false), reason: name }),
])

const minutes = z.int().check(z.nonnegative(), z.maximum(1_439))
/** Minutes after midnight by the owner's clocks, and a moment in epoch milliseconds. */
const quietSchema = z.strictObject({
  hours: z.nullable(z.strictObject({ from: minutes, to: minutes })),
  until: z.nullable(count),
})

const memory = z.strictObject({
  id: name,
  principal: name,
  what: z.enum(['turn', 'fact', 'forgotten']),
  at: count,
  content: json,
})

/** A reliable body: processed once, in order, across disconnects and restarts. */
export const bodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('home_call'), call: homeCall }),
  z.strictObject({ type: z.literal('home_answer'), answer: homeAnswer }),
  z.strictObject({ type: z.literal('memory'), memory }),
  /**
   * Home only. `language`: a two-letter code; absent: not chosen at home. `quiet`: quiet hours set at home; absent:
   * none. `due`: times at which private reminders are due, epoch milliseconds; absent: the edge must not know them.
   */
  z.strictObject({
    type: z.literal('profile'),
    timezone: name,
    language: z.optional(name),
    quiet: z.optional(quietSchema),
    due: z.optional(z.array(count).check(z.maxLength(MAX_DUE))),
  }),
  /** Home only: the assistant's name and the connected services. */
  z.strictObject({ type: z.literal('self'), self: toldSchema }),
  /** Home only: the owner locks the edge, or unlocks it (T-10). */
  z.strictObject({ type: z.literal('lock'), locked: z.boolean() }),
  /** Home only: the public key to which the edge seals from now on, base64url. */
  z.strictObject({ type: z.literal('seal_key'), key: sealKeySchema }),
  /** Edge only. */
  z.strictObject({ type: z.literal('secret'), offer: offerSchema }),
  /** Home only: a backup was made at this time by home's clock (epoch milliseconds; E-17). */
  z.strictObject({ type: z.literal('backup'), at: count }),
  /** Edge only: a one-time code that was typed in a chat there (F-15, B-04). */
  z.strictObject({ type: z.literal('link_code'), said: codeUseSchema }),
  /** Home only: all live identity links that concern the edge. */
  z.strictObject({ type: z.literal('links'), links: syncedLinksSchema }),
  /** Home only: all live grants that the edge may need (F-13). */
  z.strictObject({ type: z.literal('grants'), grants: syncedGrantsSchema }),
  /**
   * Home only: all live pairing agreements whose chat is at the edge (B-04). `closed`: nobody else may ask for anything there
   * (L-03).
   */
  z.strictObject({ type: z.literal('people'), people: syncedPeopleSchema, closed: z.optional(z.boolean()) }),
  /** Home only: the template whose tasks home answers in the owner's chat at the edge; null after the owner revoked it. */
  z.strictObject({ type: z.literal('both_lines'), template: z.nullable(name) }),
  /** Edge only: a message of the owner's there, for home to answer. */
  z.strictObject({ type: z.literal('kept_said'), kept: queuedMessageSchema(name) }),
])

export type Body = DeepReadonly<z.output<typeof bodySchema>>

/** An ephemeral body: may be lost and is never written to disk (DESIGN §7). */
export const ephemeralSchema = z.discriminatedUnion('type', [
  /** Home only: round-trip time, milliseconds (T-06). */
  z.strictObject({ type: z.literal('rtt'), ms: z.number().check(z.nonnegative()) }),
  /** Edge only: a request to a model at home, or its cancellation. */
  z.strictObject({ type: z.literal('model_ask'), ask: askSchema({ name, json, provenance }) }),
  z.strictObject({ type: z.literal('model_stop'), id: name }),
  /** Home only. */
  z.strictObject({ type: z.literal('model_told'), told: modelToldSchema(name) }),
  /** Edge only: home should read a file of the owner's. */
  z.strictObject({ type: z.literal('file_ask'), ask: fileAskSchema(name) }),
  /** Home only. */
  z.strictObject({ type: z.literal('file_told'), told: fileAnswerSchema(name) }),
  /** Home only: a text for the owner's chat at the edge. Stored nowhere on the way. */
  z.strictObject({ type: z.literal('deliver'), handed: deliveredTextSchema(name) }),
  /** Home only: progress of home's work on an edge message. */
  z.strictObject({ type: z.literal('work'), work: homeWorkSchema(name) }),
  /** Edge only. */
  z.strictObject({ type: z.literal('delivered'), told: handoverResultSchema(name) }),
  /** Edge only: an approval card could not be sent to the owner's chat there, and waits on the open line. */
  z.strictObject({ type: z.literal('card_waits') }),
  /** Edge only: a delivery to the owner's chat there is delayed, or was given up. */
  z.strictObject({ type: z.literal('unsent'), unsent: unsentSchema }),
])

export type EphemeralBody = DeepReadonly<z.output<typeof ephemeralSchema>>

/** Validates a body from storage or from another object. Refusal: frame_malformed. */
export function parseBody(input: unknown): Result<Body> {
  const parsed = z.safeParse(bodySchema, input)
  return parsed.success ? ok(parsed.data) : err('frame_malformed')
}

/** True for plain data at most `depth` deep, without a key that reaches a prototype. */
function isJson(input: unknown, depth: number): input is Json {
  if (depth < 0) return false
  if (Array.isArray(input)) return input.every((item) => isJson(item, depth - 1))
  if (isPlainRecord(input))
    return Object.entries(input).every(([key, value]) => isSafeKey(key) && isJson(value, depth - 1))
  return input === null || ['boolean', 'string'].includes(typeof input) || Number.isFinite(input)
}
