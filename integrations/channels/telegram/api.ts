/**
 * Telegram's Bot API as the channel uses it: one method, one request, what Telegram answers as a `Result`. The token stands in the
 * path, as Telegram wants it (H-04): it is joined here and nowhere else, and nothing that comes back out of here holds a URL. Must
 * not retry, wait or log. Called by sender.ts, files.ts, menu.ts and by the edge's route.
 */
import type { ApiMethods } from '@grammyjs/types'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import type { HttpResponse } from '../../../kernel/tool/http.ts'
import { createScopedHttp, type HttpBytes, requestBytes } from '../../http/scoped-client.ts'
import type { Transport } from '../../http/transport.ts'
import { TELEGRAM_ORIGIN } from './channel.ts'

export interface BotConnection {
  readonly token: string
  /** Origin of the Bot API; another than Telegram's own is an emulator or a server of the owner's. */
  readonly origin: string
  readonly transport: Transport
  /** Milliseconds of a call, where a question is held for longer. */
  readonly timeoutMs?: number
  /** Ends what runs. */
  readonly signal?: AbortSignal
}

/** Methods that are used, in a chat and when a bot is set up. */
type Method =
  | ('sendMessage' | 'editMessageText' | 'deleteMessage' | 'sendChatAction' | 'answerCallbackQuery')
  | 'getFile'
  | ('getMe' | 'getUpdates' | 'setWebhook' | 'deleteWebhook' | 'setMyCommands' | 'deleteMyCommands')
  | 'getWebhookInfo'
type Arguments<M extends Method> = Parameters<ApiMethods<never>[M]>[0]

export interface TextDocument {
  readonly chat: number
  /** What Telegram calls the file; of plain characters. */
  readonly name: string
  /** Plain text under it. */
  readonly caption: string
  readonly text: string
}

export interface BotApi {
  /**
   * `result` of the answer, unchecked. Refusals: remote_rate_limited (`retryAfter`, ms), remote_unavailable, credential_rejected,
   * remote_rejected (`why`: one of `TROUBLES`, or `other`), and those of the client.
   */
  call<M extends Method>(method: M, args: Arguments<M>): Promise<Result<unknown>>
  /** Sends a text as a file. Refusals as of `call`; sent twice, it stands there twice. */
  sendDocument(document: TextDocument): Promise<Result<unknown>>
  /**
   * Bytes of a file, by the path that `getFile` gave; `most` of them at most. Refusals: remote_not_found for a path that has expired,
   * response_too_large, and the others of `call`.
   */
  download(path: string, most: number): Promise<Result<Uint8Array>>
}

/** As Telegram names where a file lies: names and slashes, so that no answer of its leads to another method or host. */
const FILE_PATH = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*(?:\.[A-Za-z0-9]{1,10}){0,3}$/

/** Milliseconds and bytes of one call: a service that hangs must not hold the answers of a chat. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000, maxRedirects: 0 } as const
/** Milliseconds for a file: the largest that is read takes longer than an answer on a slow line. */
const FILE_TIMEOUT = 60_000
/** Seconds that Telegram may ask for at most: a wrong number must not silence a chat for days. */
const MOST_RETRY = 3_600

/** What Telegram says in words of refusals that mean something here (TelegramBotAPI/errors). */
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
  description: z.optional(z.string()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})
type Answer = z.infer<typeof ANSWER>

/** What Telegram answers to a message that it took. */
export const MESSAGE = z.object({ message_id: z.int() })

export function createBotApi({ token, origin, transport, timeoutMs, signal }: BotConnection): BotApi {
  const isOwn = origin !== TELEGRAM_ORIGIN
  const { host } = new URL(origin)
  const scope = {
    ...{ transport, hosts: [host], exemptOrigins: isOwn ? [origin] : [] },
    ...(signal !== undefined && { signal }),
  }
  const limits = { ...LIMITS, ...(timeoutMs !== undefined && { timeoutMs }) }
  const http = createScopedHttp({ ...scope, limits })
  const post = async (method: string, type: string, body: string): Promise<Result<unknown>> => {
    const url = `${origin}/bot${token}/${method}`
    const asked = await http.request({ method: 'POST', url, headers: { 'content-type': type }, body })
    return asked.ok ? meaningOf(asked.value) : asked
  }
  return {
    call: (method, args) => post(method, 'application/json', JSON.stringify(args ?? {})),
    sendDocument(document) {
      const { type, body } = formOf(document)
      return post('sendDocument', type, body)
    },
    async download(path, most) {
      if (!FILE_PATH.test(path)) return err('remote_rejected', { why: 'path' })
      const got = await requestBytes(
        {
          ...scope,
          limits: { ...LIMITS, maxBytes: most, ...(most > LIMITS.maxBytes && { timeoutMs: FILE_TIMEOUT }) },
        },
        { method: 'GET', url: `${origin}/file/bot${token}/${path}` },
      )
      return got.ok ? fileIn(got.value) : got
    },
  }
}

/** A form with one file. Its boundary is a digest of all that stands in it, so that none of it can end a part. */
function formOf({ chat, name, caption, text }: TextDocument): {
  readonly type: string
  readonly body: string
} {
  const boundary = `pfar${digestOf([name, caption, text])}`
  const part = (head: string, body: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${head}\r\n\r\n${body}\r\n`
  const body = [
    part('chat_id"', String(chat)),
    part('caption"', caption),
    part(`document"; filename="${name}"\r\ncontent-type: text/plain; charset=utf-8`, text),
    `--${boundary}--\r\n`,
  ].join('')
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

function fileIn({ status, bytes }: HttpBytes): Result<Uint8Array> {
  if (status === 200) return ok(bytes)
  if (status === 401) return err('credential_rejected', { status })
  if (status === 404 || status === 410) return err('remote_not_found', { status })
  if (status === 429) return err('remote_rate_limited')
  return err(status >= 500 ? 'remote_unavailable' : 'remote_rejected', { status })
}

function meaningOf({ status, body }: HttpResponse): Result<unknown> {
  const answer = answerIn(body)
  if (answer?.ok === true) return ok(answer.result)
  const code = answer?.error_code ?? status
  // A token that is not one at all is answered with 404.
  if (code === 401 || code === 404) return err('credential_rejected', { status: code })
  if (code === 429) return err('remote_rate_limited', retryIn(answer))
  if (code >= 500 || answer === null) return err('remote_unavailable', { status: code })
  const said = answer.description ?? ''
  const why = TROUBLES.find(([, words]) => words.test(said))?.[0] ?? 'other'
  return err('remote_rejected', { status: code, why })
}

function answerIn(body: string): Answer | null {
  try {
    const parsed = ANSWER.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function retryIn(answer: Answer | null): { readonly retryAfter?: number } {
  const seconds = answer?.parameters?.retry_after
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return {}
  return { retryAfter: Math.min(seconds, MOST_RETRY) * 1_000 }
}
