/**
 * What travels inside a frame: calls and answers between edge and home, what the edge remembers of its owner, secrets that
 * were typed at the edge in boxes that home alone opens, and the owner's profile (T-04, X-03, E-02).
 * Everything is checked on arrival; an answer's label is only a claim, which the reader's own registry outranks.
 * Must not know about numbering. Called by frame.ts and by both ends of the tunnel.
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

/** A body that must arrive: once, in order, across drops and restarts. */
export type Body =
  | { readonly type: 'home_call'; readonly call: HomeCall }
  | { readonly type: 'home_answer'; readonly answer: HomeAnswer }
  | { readonly type: 'memory'; readonly memory: OpenMemory }
  | { readonly type: 'profile'; readonly timezone: string }
  /** Home only: what the assistant is called, and which services are connected there. */
  | { readonly type: 'self'; readonly self: ToldSelf }
  /** Home only: the owner locks the edge, or unlocks it (T-10). */
  | { readonly type: 'lock'; readonly locked: boolean }
  /** Home only: the public key for which the edge closes boxes from now on, base64url. */
  | { readonly type: 'seal_key'; readonly key: string }
  /** Edge only. */
  | { readonly type: 'secret'; readonly offer: SecretOffer }
  /** Home only: it made a backup, at this time by its own clock (epoch milliseconds; E-17). */
  | { readonly type: 'backup'; readonly at: number }
  /** Edge only: a one-time code that was said there (F-15, B-04). */
  | { readonly type: 'link_code'; readonly said: SaidCode }
  /** Home only: all identity links that are live now and concern the edge. */
  | { readonly type: 'links'; readonly links: readonly ToldLink[] }
  /** Home only: all grants that are live now and may be of use to the edge (F-13). */
  | { readonly type: 'grants'; readonly grants: readonly ToldGrant[] }
  /** Home only: all pairing agreements that are live now in a chat of the edge (B-04). */
  | { readonly type: 'people'; readonly people: readonly ToldPerson[] }
  /** Home only: the template whose tasks it answers in the owner's chat there; null since he took that back (DESIGN §1). */
  | { readonly type: 'both_lines'; readonly template: string | null }
  /** Edge only: what he wrote there, for home to answer. */
  | { readonly type: 'kept_said'; readonly kept: KeptSaid }

/** A body that may be lost: it touches no disk (DESIGN §7). */
export type EphemeralBody =
  /** Home only; milliseconds (T-06). */
  | { readonly type: 'rtt'; readonly ms: number }
  /** Edge only: a model of home's is asked, or wanted no more. */
  | { readonly type: 'model_ask'; readonly ask: ModelAsk }
  | { readonly type: 'model_stop'; readonly id: string }
  /** Home only. */
  | { readonly type: 'model_told'; readonly told: ModelTold }
  /** Edge only: a file of the owner's is to be read. */
  | { readonly type: 'file_ask'; readonly ask: FileAsk }
  /** Home only. */
  | { readonly type: 'file_told'; readonly told: FileTold }
  /** Home only: a text for the owner's chat there, which nobody keeps. */
  | { readonly type: 'deliver'; readonly handed: Handed }
  /** Home only: it is at work for the edge. */
  | { readonly type: 'work'; readonly work: HomeWork }
  /** Edge only. */
  | { readonly type: 'delivered'; readonly told: HandedBack }
  /** Edge only: a question could not be put in the owner's chat there, and waits on the open line. */
  | { readonly type: 'card_waits' }
  /** Edge only: something meant for the owner's chat there waits for it, or will not come. */
  | { readonly type: 'unsent'; readonly unsent: UnsentNews }

/** Deepest nesting of arguments and outputs: a megabyte of `[` must not overflow the stack of whoever walks it. */
const MAX_DEPTH = 32
/** Longest id, name and label, UTF-16 units: they are copied into rows and audit lines. */
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

/** Schema of a reliable body. */
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

/** Schema of an ephemeral body. */
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

/** Checks a body that comes from storage or from another object; refusal: frame_malformed. */
export function parseBody(input: unknown): Result<Body> {
  const parsed = z.safeParse(bodySchema, input)
  return parsed.success ? ok(parsed.data) : err('frame_malformed')
}

/** Plain data no deeper than `depth`, with no key that reaches a prototype. */
function isJson(input: unknown, depth: number): input is Json {
  if (depth < 0) return false
  if (Array.isArray(input)) return input.every((item) => isJson(item, depth - 1))
  if (isPlainRecord(input))
    return Object.entries(input).every(([key, value]) => isSafeKey(key) && isJson(value, depth - 1))
  return input === null || ['boolean', 'string'].includes(typeof input) || Number.isFinite(input)
}
