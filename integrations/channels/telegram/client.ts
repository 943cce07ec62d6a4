/**
 * grammY's client of the Bot API, behind the scoped one: grammY writes paths, bodies and forms, and `send` is its only connection. It
 * is given no token. Its errors hold the payload and Telegram's words: they end here. Loaded with the first request. Called by api.ts.
 */
import { Api, GrammyError, HttpError, InputFile } from 'grammy/web'
import * as z from 'zod/mini'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { BytesRequest, HttpBytes } from '../../http/scoped-client.ts'

/** Longest accepted retry delay, in seconds: a wrong number must not silence a chat for days. */
const MOST_RETRY = 3_600

/**
 * Longest time of a timer, in seconds. The scoped client has the deadline: grammY's own timer would also count the sleep of the
 * machine, and report a message that was sent as not sent.
 */
const NO_TIMEOUT = 2_147_483

/** Telegram's error texts that matter here, and their reasons (TelegramBotAPI/errors). */
const TROUBLES: readonly (readonly [string, RegExp])[] = [
  ['unchanged', /message is not modified/i],
  ['gone', /message to (?:edit|delete) not found|message_id_invalid/i],
  ['entities', /entit(?:y|ies)/i],
  ['too_big', /file is too big/i],
  ['webhook', /webhook is active/i],
  ['polled', /other getUpdates/i],
]

const ANSWER = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  error_code: z.optional(z.int()),
  description: z._default(z.string(), ''),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})

const SENT = z.looseObject({ message_id: z.int() })
/** Schema of the results in use: grammY's types do not check them. */
const RESULTS: Readonly<Record<string, z.ZodMiniType>> = {
  getMe: z.looseObject({ id: z.int(), username: z.string() }),
  getUpdates: z.array(z.looseObject({ update_id: z.int() })),
  getFile: z.looseObject({ file_path: z.optional(z.string()), file_size: z.optional(z.number()) }),
  getWebhookInfo: z.looseObject({
    url: z.string(),
    pending_update_count: z.int(),
    last_error_date: z.optional(z.int()),
    last_error_message: z.optional(z.string()),
  }),
  sendMessage: SENT,
  sendDocument: SENT,
}

/** A text as a file with this name. */
export type FileOf = (text: string, name: string) => InputFile
export type Ask = <T>(call: (bot: Api, fileOf: FileOf) => Promise<T>) => Promise<Result<T>>

export interface ClientInput {
  /** Origin of the Bot API. */
  readonly origin: string
  /** Stands for the token in the addresses that grammY forms. */
  readonly placeholder: string
  readonly send: (request: BytesRequest) => Promise<Result<HttpBytes>>
}

export function createClient({ origin, placeholder, send }: ClientInput): Ask {
  const bot = new Api(placeholder, {
    apiRoot: origin,
    sensitiveLogs: false,
    timeoutSeconds: NO_TIMEOUT,
    async fetch(url: string, { headers, body }: RequestInit) {
      const sent = await send({
        method: 'POST',
        url,
        // The scoped client sets the connection headers; grammY would set them as well.
        headers: { 'content-type': new Headers(headers).get('content-type') ?? '' },
        body: typeof body === 'string' ? body : await bytesOf(body),
      })
      if (!sent.ok) throw new Refused(sent.reason)
      const answer = answerTo(url, sent.value)
      // grammY uses only `json` of a response; a real `Response` would be serialised and parsed once more.
      return { json: async () => answer }
    },
  })
  const fileOf: FileOf = (text, name) => new InputFile(new TextEncoder().encode(text), name)
  return async (call) => {
    try {
      return ok(await call(bot, fileOf))
    } catch (error) {
      return { ok: false, reason: refusalOf(error) }
    }
  }
}

async function bytesOf(body: RequestInit['body']): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer())
}

/** Telegram's answer to a method. Throws a `Refused` for anything else, whose status grammY would drop. */
function answerTo(url: string, { status, bytes }: HttpBytes): object {
  const answer = ANSWER.safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (!answer.success) throw new Refused(meaningOf(status, null))
  const { ok: isGranted, result } = answer.data
  const schema = RESULTS[url.slice(url.lastIndexOf('/') + 1)]
  if (isGranted && schema?.safeParse(result).success === false)
    throw new Refused(err('remote_rejected', { why: 'answer' }).reason)
  return { error_code: status, ...answer.data }
}

/** Carries a refusal through grammY, which wraps whatever its fetch throws. */
class Refused extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(reason.code)
    this.reason = reason
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof GrammyError) return meaningOf(error.error_code, error)
  const cause = error instanceof HttpError ? error.error : null
  return cause instanceof Refused ? cause.reason : err('network_failed').reason
}

function meaningOf(status: number, answer: Pick<GrammyError, 'description' | 'parameters'> | null): Refusal {
  // Telegram answers an invalid token with 404.
  if (status === 401 || status === 404) return err('credential_rejected', { status }).reason
  if (status === 429) return err('remote_rate_limited', retryIn(answer?.parameters.retry_after)).reason
  if (status >= 500 || answer === null) return err('remote_unavailable', { status }).reason
  const why = TROUBLES.find(([, words]) => words.test(answer.description))?.[0] ?? 'other'
  return err('remote_rejected', { status, why }).reason
}

function retryIn(seconds: number | undefined): { readonly retryAfter?: number } {
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return {}
  return { retryAfter: Math.min(seconds, MOST_RETRY) * 1_000 }
}
