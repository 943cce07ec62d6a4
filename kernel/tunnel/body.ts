/**
 * The contents of a frame: calls and answers between edge and home, replicated state, sealed secrets, and the owner's profile
 * (T-04, X-03, E-02). Everything is validated on arrival; an answer's label is only a claim, and the reader's own registry
 * overrides it. Must not know about numbering. Called by frame.ts and by both ends of the tunnel.
 */
import * as z from 'zod/mini'
import type { Handed, HandedBack, HomeWork } from '../features/places/handover-port.ts'
import type { HomeAnswer, HomeCall, OpenMemory } from '../features/places/home-port.ts'
import { isPlainRecord, isSafeKey, type Json } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import { parseProvenance } from '../flow/provenance.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { type ToldSelf, toldSchema } from '../self/told.ts'
import { offerSchema, type SecretOffer, sealKeySchema } from '../vault/secret-offer.ts'
import { type FileAsk, type FileTold, fileAskSchema, fileToldSchema } from './file-ask.ts'
import { handedBackSchema, handedSchema, homeWorkSchema } from './handed.ts'
import { type KeptSaid, keptSaidSchema } from './kept-said.ts'
import { askSchema, type ModelAsk, type ModelTold, toldSchema as modelToldSchema } from './model-ask.ts'
import { type ToldGrant, toldGrantsSchema } from './told-grants.ts'
import { type SaidCode, saidCodeSchema, type ToldLink, toldLinksSchema } from './told-links.ts'
import { type ToldPerson, toldPeopleSchema } from './told-people.ts'
import { type UnsentNews, unsentSchema } from './unsent-news.ts'

/** A reliable body: processed once, in order, across disconnects and restarts. */
export type Body =
  | { readonly type: 'home_call'; readonly call: HomeCall }
  | { readonly type: 'home_answer'; readonly answer: HomeAnswer }
  | { readonly type: 'memory'; readonly memory: OpenMemory }
  | { readonly type: 'profile'; readonly timezone: string }
  /** Home only: the assistant's name and the connected services. */
  | { readonly type: 'self'; readonly self: ToldSelf }
  /** Home only: the owner locks the edge, or unlocks it (T-10). */
  | { readonly type: 'lock'; readonly locked: boolean }
  /** Home only: the public key to which the edge seals from now on, base64url. */
  | { readonly type: 'seal_key'; readonly key: string }
  /** Edge only. */
  | { readonly type: 'secret'; readonly offer: SecretOffer }
  /** Home only: a backup was made at this time by home's clock (epoch milliseconds; E-17). */
  | { readonly type: 'backup'; readonly at: number }
  /** Edge only: a one-time code that was typed in a chat there (F-15, B-04). */
  | { readonly type: 'link_code'; readonly said: SaidCode }
  /** Home only: all live identity links that concern the edge. */
  | { readonly type: 'links'; readonly links: readonly ToldLink[] }
  /** Home only: all live grants that the edge may need (F-13). */
  | { readonly type: 'grants'; readonly grants: readonly ToldGrant[] }
  /** Home only: all live pairing agreements whose chat is at the edge (B-04). */
  | { readonly type: 'people'; readonly people: readonly ToldPerson[] }
  /**
   * Home only: the template whose tasks home answers in the owner's chat at the edge; null after the owner revoked it (DESIGN
   * §1).
   */
  | { readonly type: 'both_lines'; readonly template: string | null }
  /** Edge only: a message of the owner's there, for home to answer. */
  | { readonly type: 'kept_said'; readonly kept: KeptSaid }

/** An ephemeral body: may be lost and is never written to disk (DESIGN §7). */
export type EphemeralBody =
  /** Home only: round-trip time, milliseconds (T-06). */
  | { readonly type: 'rtt'; readonly ms: number }
  /** Edge only: a request to a model at home, or its cancellation. */
  | { readonly type: 'model_ask'; readonly ask: ModelAsk }
  | { readonly type: 'model_stop'; readonly id: string }
  /** Home only. */
  | { readonly type: 'model_told'; readonly told: ModelTold }
  /** Edge only: home should read a file of the owner's. */
  | { readonly type: 'file_ask'; readonly ask: FileAsk }
  /** Home only. */
  | { readonly type: 'file_told'; readonly told: FileTold }
  /** Home only: a text for the owner's chat at the edge. Stored nowhere on the way. */
  | { readonly type: 'deliver'; readonly handed: Handed }
  /** Home only: progress of home's work on an edge message. */
  | { readonly type: 'work'; readonly work: HomeWork }
  /** Edge only. */
  | { readonly type: 'delivered'; readonly told: HandedBack }
  /** Edge only: an approval card could not be sent to the owner's chat there, and waits on the open line. */
  | { readonly type: 'card_waits' }
  /** Edge only: a delivery to the owner's chat there is delayed, or was given up. */
  | { readonly type: 'unsent'; readonly unsent: UnsentNews }

/** Maximum nesting of arguments and outputs: a megabyte of `[` must not overflow the stack of the code that walks it. */
const MAX_DEPTH = 32
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

const memory = z.strictObject({
  id: name,
  principal: name,
  what: z.enum(['turn', 'fact', 'forgotten']),
  at: count,
  content: json,
})

export const bodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('home_call'), call: homeCall }),
  z.strictObject({ type: z.literal('home_answer'), answer: homeAnswer }),
  z.strictObject({ type: z.literal('memory'), memory }),
  z.strictObject({ type: z.literal('profile'), timezone: name }),
  z.strictObject({ type: z.literal('self'), self: toldSchema }),
  z.strictObject({ type: z.literal('lock'), locked: z.boolean() }),
  z.strictObject({ type: z.literal('seal_key'), key: sealKeySchema }),
  z.strictObject({ type: z.literal('secret'), offer: offerSchema }),
  z.strictObject({ type: z.literal('backup'), at: count }),
  z.strictObject({ type: z.literal('link_code'), said: saidCodeSchema }),
  z.strictObject({ type: z.literal('links'), links: toldLinksSchema }),
  z.strictObject({ type: z.literal('grants'), grants: toldGrantsSchema }),
  z.strictObject({ type: z.literal('people'), people: toldPeopleSchema }),
  z.strictObject({ type: z.literal('both_lines'), template: z.nullable(name) }),
  z.strictObject({ type: z.literal('kept_said'), kept: keptSaidSchema(name) }),
])

export const ephemeralSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('rtt'), ms: z.number().check(z.nonnegative()) }),
  z.strictObject({ type: z.literal('model_ask'), ask: askSchema({ name, json, provenance }) }),
  z.strictObject({ type: z.literal('model_stop'), id: name }),
  z.strictObject({ type: z.literal('model_told'), told: modelToldSchema(name) }),
  z.strictObject({ type: z.literal('file_ask'), ask: fileAskSchema(name) }),
  z.strictObject({ type: z.literal('file_told'), told: fileToldSchema(name) }),
  z.strictObject({ type: z.literal('deliver'), handed: handedSchema(name) }),
  z.strictObject({ type: z.literal('work'), work: homeWorkSchema(name) }),
  z.strictObject({ type: z.literal('delivered'), told: handedBackSchema(name) }),
  z.strictObject({ type: z.literal('card_waits') }),
  z.strictObject({ type: z.literal('unsent'), unsent: unsentSchema }),
])

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
