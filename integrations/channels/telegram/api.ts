/**
 * Telegram's Bot API: one method, one request, Telegram's answer as a `Result`. Telegram wants the token in the path (H-04): it is
 * inserted only here, and no result holds a URL. Must not retry, wait or log. Called by sender.ts, files.ts, menu.ts and by the
 * edge's route.
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
  /** Origin of the Bot API; other than Telegram's own, an emulator or a server of the owner. */
  readonly origin: string
  readonly transport: Transport
  /** Milliseconds of a call, for long polling. */
  readonly timeoutMs?: number
  /** Aborts the running request. */
  readonly signal?: AbortSignal
}

/** Methods in use, in a chat and during setup. */
type Method =
  | ('sendMessage' | 'editMessageText' | 'deleteMessage' | 'sendChatAction' | 'answerCallbackQuery')
  | 'getFile'
  | ('getMe' | 'getUpdates' | 'setWebhook' | 'deleteWebhook' | 'setMyCommands' | 'deleteMyCommands')
  | 'getWebhookInfo'
type Arguments<M extends Method> = Parameters<ApiMethods<never>[M]>[0]

export interface TextDocument {
  readonly chat: number
  /** File name shown in Telegram; plain characters. */
  readonly name: string
  /** Plain text below the file. */
  readonly caption: string
  readonly text: string
}

export interface BotApi {
  /**
   * `result` of the answer, unchecked. Refusals: remote_rate_limited (`retryAfter`, ms), remote_unavailable, credential_rejected,
   * remote_rejected (`why`: one of `TROUBLES`, or `other`), and those of the client.
   */
  call<M extends Method>(method: M, args: Arguments<M>): Promise<Result<unknown>>
  /** Sends a text as a file. Refusals as for `call`. Not idempotent. */
  sendDocument(document: TextDocument): Promise<Result<unknown>>
  /**
   * Bytes of a file, by the path from `getFile`; at most `most`. Refusals: remote_not_found for an expired path,
   * response_too_large, and the others of `call`.
   */
  download(path: string, most: number): Promise<Result<Uint8Array>>
}

/** Telegram's form of a file path: names and slashes only, so that no answer leads to another method or host. */
const FILE_PATH = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*(?:\.[A-Za-z0-9]{1,10}){0,3}$/

/** Milliseconds and bytes of one call: a hanging service must not hold up a chat's answers. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000, maxRedirects: 0 } as const
/** Milliseconds for a download: the largest allowed file takes longer than a call on a slow connection. */
const FILE_TIMEOUT = 60_000
/** Longest accepted retry delay, in seconds: a wrong number must not silence a chat for days. */
const MOST_RETRY = 3_600

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
  description: z.optional(z.string()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})
type Answer = z.infer<typeof ANSWER>

/** Telegram's answer to a sent message. */
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

/** A multipart form with one file. Its boundary is a digest of the content, so that the content cannot end a part. */
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
  // Telegram answers an invalid token with 404.
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
