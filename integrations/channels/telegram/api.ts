/**
 * Telegram's Bot API: one method, one request, Telegram's answer as a `Result`. grammY speaks it (client.ts). Telegram wants the token
 * in the path (H-04): it is inserted only here, behind grammY, and no result holds a URL. Must not retry, wait or log. Called by the
 * files of this folder.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { type BytesRequest, type HttpBytes, type HttpLimits, requestBytes } from '../../http/scoped-client.ts'
import type { Transport } from '../../http/transport.ts'
import { TELEGRAM_ORIGIN, UPDATE_KINDS, WEBHOOK_PATH } from './channel.ts'
import type { Ask } from './client.ts'

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

export interface BotApi {
  /**
   * Result of one method of grammY's `Api`. Refusals: remote_rate_limited (`retryAfter`, ms), remote_unavailable, credential_rejected,
   * remote_rejected (`why`: one of `TROUBLES`, `answer` for a result of another shape, or `other`), and those of the client.
   */
  readonly ask: Ask
  /**
   * Bytes of a file, by the path from `getFile`; at most `most`. Refusals: remote_not_found for an expired path,
   * response_too_large, and the others of `ask`.
   */
  download(path: string, most: number): Promise<Result<Uint8Array>>
}

/** Telegram's form of a file path: names and slashes only, so that no answer leads to another method or host. */
const FILE_PATH = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*(?:\.[A-Za-z0-9]{1,10}){0,3}$/

/** Milliseconds and bytes of one call: a hanging service must not hold up a chat's answers. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000, maxRedirects: 0 } as const
/** Milliseconds for a download: the largest allowed file takes longer than a call on a slow connection. */
const FILE_TIMEOUT = 60_000

/** Where the token stands in a URL, as grammY knows it. */
const PLACEHOLDER = '0:token'

export function createBotApi({ token, origin, transport, timeoutMs, signal }: BotConnection): BotApi {
  const isOwn = origin !== TELEGRAM_ORIGIN
  const { host } = new URL(origin)
  const scope = {
    transport,
    hosts: [host],
    exemptOrigins: isOwn ? [origin] : [],
    ...(signal !== undefined && { signal }),
  }
  const send = (request: BytesRequest, limits: Partial<HttpLimits>): Promise<Result<HttpBytes>> => {
    const url = request.url.replace(`bot${PLACEHOLDER}/`, () => `bot${token}/`)
    return requestBytes({ ...scope, limits: { ...LIMITS, ...limits } }, { ...request, url })
  }
  let client: Ask | null = null
  const ask: Ask = async (call) => {
    if (client === null) {
      const { createClient } = await import('./client.ts')
      const limits = timeoutMs === undefined ? {} : { timeoutMs }
      client = createClient({ origin, placeholder: PLACEHOLDER, send: (request) => send(request, limits) })
    }
    return client(call)
  }
  return {
    ask,
    async download(path, most) {
      if (!FILE_PATH.test(path)) return err('remote_rejected', { why: 'path' })
      const limits = { maxBytes: most, ...(most > LIMITS.maxBytes && { timeoutMs: FILE_TIMEOUT }) }
      const got = await send({ method: 'GET', url: `${origin}/file/bot${PLACEHOLDER}/${path}` }, limits)
      return got.ok ? fileIn(got.value) : got
    },
  }
}

/** Bytes of a file sent to the bot (B-27), at most `most` whatever size Telegram claims. Refusals: those of `BotApi`. */
export async function fetchFile(api: BotApi, ref: string, most: number): Promise<Result<Uint8Array>> {
  const tooLarge = err('response_too_large', { max: most })
  const found = await api.ask((bot) => bot.getFile(ref))
  if (!found.ok) return found.reason.facts['why'] === 'too_big' ? tooLarge : found
  const { file_path: path, file_size: size = 0 } = found.value
  // Absent when Telegram does not provide the file.
  if (path === undefined) return err('remote_not_found')
  return size > most ? tooLarge : api.download(path, most)
}

/** Has Telegram deliver updates to the edge at this origin. `isFresh`: drops those that wait. Refusals: those of the Bot API. */
export function setWebhook(
  api: BotApi,
  { edge, secret, isFresh }: { readonly edge: string; readonly secret: string; readonly isFresh: boolean },
): Promise<Result<true>> {
  return api.ask((bot) =>
    bot.setWebhook(`${edge}${WEBHOOK_PATH}`, {
      secret_token: secret,
      allowed_updates: UPDATE_KINDS,
      max_connections: 1,
      drop_pending_updates: isFresh,
    }),
  )
}

function fileIn({ status, bytes }: HttpBytes): Result<Uint8Array> {
  if (status === 200) return ok(bytes)
  if (status === 401) return err('credential_rejected', { status })
  if (status === 404 || status === 410) return err('remote_not_found', { status })
  if (status === 429) return err('remote_rate_limited')
  return err(status >= 500 ? 'remote_unavailable' : 'remote_rejected', { status })
}
