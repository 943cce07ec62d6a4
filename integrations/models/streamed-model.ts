/**
 * One call of any provider: gets the key, streams, enforces the deadlines, removes reasoning, and retries in a simpler form when
 * the endpoint rejects an option. Adds no text to a prompt, stores none of an answer, never throws. Called by the adapters
 * beside it, which supply the provider's own part (`Dialect`).
 */
import { err, ok, type ReasonFacts, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type {
  AnswerSchema,
  ModelAnswer,
  ModelLimits,
  ModelLive,
  TextModel,
  TokenUsage,
} from '../../kernel/inference/provider.ts'
import { estimateTokens } from '../../kernel/prompt/budget.ts'
import type { PromptText } from '../../kernel/prompt/forwarded-prompt.ts'
import { type CallWatch, watchCall } from './call-watch.ts'
import type { KeyCall, ModelConnection, ModelSettings } from './connection.ts'
import { failureOf, type ProviderFailure } from './failure.ts'
import type { FrameKind, FrameLimits } from './frames.ts'
import { createProviderFetch, type ProviderFetch } from './provider-fetch.ts'
import { createReasoningFilter } from './reasoning.ts'

/** One piece of a stream, in a form common to all providers. */
export interface Piece {
  readonly text?: string
  /** Token count so far; the last one is final. */
  readonly tokens?: TokenUsage
  /** Set at the end of the answer: complete, or cut by a limit (B-37). */
  readonly end?: 'whole' | 'cut'
}

/** Request options that change when an endpoint rejects them. */
export interface Form {
  readonly schema: AnswerSchema | null
  /** Name of the output limit, which differs between models. */
  readonly cap: 'max_tokens' | 'max_completion_tokens'
}

export interface Asked {
  readonly prompt: PromptText
  readonly limits: ModelLimits
  readonly form: Form
  readonly fetch: ProviderFetch
}

/** What one provider does in its own way. */
export interface Dialect {
  readonly frames: FrameKind
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum wait for the first byte, in ms, unless the settings have one. */
  readonly firstByte: number
  /** Loads the client with the first call and streams through it. May throw anything; client errors as `NamedError`. */
  readonly stream: (asked: Asked) => AsyncIterable<Piece>
}

/** Default maximum silence between two chunks, in ms; while reasoning, providers send keep-alives more often. */
const IDLE = 30_000
/** Maximum bytes of an answer: a base plus an allowance per output token, for its frame and for reasoning. */
const BYTES = { least: 1_048_576, perToken: 4_096 } as const
/** Maximum bytes of one event; a whole answer in a single event fits. */
const MAX_FRAME = 262_144
/** A valid key: printable ASCII that fits into one header line. */
const KEY = /^[\x21-\x7e]{1,1024}$/

/** HTTP status. */
const UNAUTHORIZED = 401

const NO_TOKENS: TokenUsage = { input: 0, output: 0 }

export function createStreamedModel(
  dialect: Dialect,
  settings: ModelSettings,
  connection: ModelConnection,
): Pick<TextModel, 'reader' | 'window' | 'complete'> {
  /** Options that the endpoint accepts, learned from its rejections; kept in memory only. */
  const known = { schema: true, cap: 'max_tokens' as Form['cap'] }
  const call = { dialect, settings, connection }
  const { reader, window } = settings
  return {
    reader,
    ...(window === undefined ? {} : { window }),
    complete: async (prompt, limits, live) => {
      const watch = watchCall(limits.timeout, live?.signal)
      try {
        const first: Form = { schema: known.schema ? (limits.schema ?? null) : null, cap: known.cap }
        const asked = { ...call, prompt, limits, live, watch }
        return named(reader.id, await askInForms(asked, first, known))
      } finally {
        watch.close()
      }
    },
  }
}

interface Call {
  readonly dialect: Dialect
  readonly settings: ModelSettings
  readonly connection: ModelConnection
  readonly prompt: PromptText
  readonly limits: ModelLimits
  readonly live: ModelLive | undefined
  readonly watch: CallWatch
}

type Attempt = { readonly answer: Result<ModelAnswer>; readonly failure: ProviderFailure | null }

async function askInForms(
  call: Call,
  first: Form,
  known: { schema: boolean; cap: Form['cap'] },
): Promise<Result<ModelAnswer>> {
  let form: Form | null = first
  let last = await attempt(call, first)
  while (!last.answer.ok && form !== null) {
    form = plainer(form, first, last.failure)
    if (form !== null) last = await attempt(call, form)
  }
  if (last.answer.ok && form !== null) {
    known.cap = form.cap
    if (first.schema !== null && form.schema === null) known.schema = false
  }
  return last.answer
}

/** The next simpler form after a bad request; null if the failure was another one or no simpler form is left. */
function plainer(form: Form, first: Form, failure: ProviderFailure | null): Form | null {
  if (failure?.badRequest === undefined) return null
  if (failure.badRequest.param === 'max_tokens' && form.cap === first.cap && first.cap === 'max_tokens')
    return { ...form, cap: 'max_completion_tokens' }
  return form.schema === null ? null : { ...form, schema: null }
}

async function attempt(call: Call, form: Form): Promise<Attempt> {
  const { connection, dialect, settings, watch, limits } = call
  const early = watch.reason()
  if (early !== null) return { answer: { ok: false, reason: early }, failure: null }
  const use = {}
  const key = await keyOf(call, use)
  if (!key.ok) return { answer: outcome(watch, null, key), failure: null }
  let seen: ProviderFailure | null = null
  const failed = (why: ProviderFailure): void => {
    seen ??= why
  }
  watch.silence(settings.firstByte ?? dialect.firstByte)
  const fetch = createProviderFetch({
    connection,
    watch,
    key: key.value,
    frames: dialect.frames,
    headers: dialect.headers,
    idle: settings.idle ?? IDLE,
    failed,
    limits: sizes(limits),
  })
  const reading = createReading(call)
  const read = readAll(dialect, { prompt: call.prompt, limits, form, fetch }, reading)
  const error = await Promise.race([read, watch.ended.then(() => null)])
  const failure = error === null ? seen : failureOf(error.thrown, seen)
  const answer = reading.close(error === null ? null : (failure?.reason ?? null))
  const ended = outcome(watch, failure, answer)
  if (ended.ok) connection.settled?.(use, 'accepted')
  // Only 401 is about the key; other statuses can be about the model's name or the request.
  else if (ended.reason.facts['status'] === UNAUTHORIZED) connection.settled?.(use, 'rejected')
  return { answer: withSpent(ended, reading.spent()), failure }
}

/** The result of an attempt. Precedence: the reason of the watch, the failure that the fetch saw, the result of the stream. */
function outcome(
  watch: CallWatch,
  failure: ProviderFailure | null,
  answer: Result<ModelAnswer>,
): Result<ModelAnswer> {
  const reason = watch.reason()
  if (reason?.code === 'task_stopped' && answer.ok && answer.value.text !== '')
    return ok({ ...answer.value, cut: true })
  const cause = reason ?? failure?.reason
  return cause === undefined ? answer : { ok: false, reason: cause }
}

/** Adds the tokens used before a call failed, because they are billed (D-11). */
function withSpent(answer: Result<ModelAnswer>, spent: ReasonFacts): Result<ModelAnswer> {
  return answer.ok ? answer : err(answer.reason.code, { ...answer.reason.facts, ...spent })
}

async function readAll(
  dialect: Dialect,
  asked: Asked,
  reading: Reading,
): Promise<{ readonly thrown: unknown } | null> {
  try {
    for await (const piece of dialect.stream(asked)) reading.take(piece)
    return null
  } catch (thrown) {
    return { thrown }
  }
}

interface Reading {
  take(piece: Piece): void
  /** Stops reading and returns the answer. `reason`: why there is none; null if the stream ended without a failure. */
  close(reason: Refusal | null): Result<ModelAnswer>
  /** Token counts so far as facts of a reason; empty if the provider has sent none. */
  spent(): ReasonFacts
}

function createReading({ live, settings }: Pick<Call, 'live' | 'settings'>): Reading {
  const filter = createReasoningFilter(settings.startsReasoning === true)
  let tokens = NO_TOKENS
  let end: Piece['end']
  let open = true
  const hear = (text: string): void => {
    if (open && text !== '') live?.onText?.(text)
  }
  return {
    take: (piece) => {
      if (piece.text !== undefined) hear(filter.push(piece.text))
      tokens = piece.tokens ?? tokens
      end = piece.end ?? end
    },
    close: (reason) => {
      if (reason === null) hear(filter.end())
      open = false
      if (reason !== null) return { ok: false, reason }
      const text = filter.answer()
      // A stream without an end mark and without text is no answer.
      if (end === undefined && text === '') return err('model_garbled', { rule: 'empty' })
      return ok({ text, cut: end !== 'whole', tokens })
    },
    spent: () =>
      tokens.input === 0
        ? {}
        : { tokensIn: tokens.input, tokensOut: Math.max(tokens.output, estimateTokens(filter.answer())) },
  }
}

async function keyOf({ connection: { key }, watch }: Call, use: KeyCall): Promise<Result<string | null>> {
  if (key === null) return ok(null)
  const asked = key(use).catch(() => err('key_unavailable'))
  const found = await Promise.race([asked, watch.ended.then((reason) => ({ ok: false, reason }) as const)])
  if (!found.ok) return err('model_misconfigured', { rule: found.reason.code })
  return KEY.test(found.value) ? found : err('model_misconfigured', { rule: 'key' })
}

function sizes({ maxTokens }: ModelLimits): FrameLimits {
  return { maxBytes: BYTES.least + BYTES.perToken * maxTokens, maxFrame: MAX_FRAME }
}

function named(model: string, answer: Result<ModelAnswer>): Result<ModelAnswer> {
  return answer.ok ? answer : err(answer.reason.code, { model, ...answer.reason.facts })
}

/** A text from the provider; an absent one is empty. Throws `TypeError` for a value of another type. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new TypeError('not a text')
  return value
}

/** A count from the provider; 0 for anything but a safe integer ≥ 0, because budgets add it up. */
export function counted(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
