/**
 * Slack's Web API: one method, one request, Slack's answer as a `Result`. The token is sent only in the header, and no result holds
 * a URL except that of `openSocket`. Must not retry, wait or log. Called by sender.ts and by home's connection.
 */
import * as z from 'zod/mini'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpResponse } from '../../../kernel/tool/manifest.ts'
import { createScopedHttp } from '../../http/scoped-client.ts'
import type { Transport } from '../../http/transport.ts'
import { SLACK_ORIGIN, SLACK_SOCKETS } from './channel.ts'

/** Methods in use. */
export type SlackMethod =
  | ('chat.postMessage' | 'chat.update' | 'chat.delete')
  | ('auth.test' | 'apps.connections.open')

export interface SlackApi {
  /**
   * The answer, unchecked. Refusals: remote_rate_limited (`retryAfter`, ms), remote_unavailable, credential_rejected, remote_rejected
   * (`why`: `gone`, `scope`, `chat` or `other`), and those of the client.
   */
  call(method: SlackMethod, args: Readonly<Record<string, unknown>>): Promise<Result<unknown>>
}

export interface SlackConnection {
  readonly token: string
  /** Origin of the Web API; other than Slack's own, an emulator. */
  readonly origin: string
  readonly transport: Transport
  /** Aborts the running request. */
  readonly signal?: AbortSignal
}

/** Milliseconds and bytes of one call: a hanging service must not hold up a chat's answers. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000, maxRedirects: 0 } as const
/** Longest accepted retry delay, in seconds: a wrong number must not silence a chat for days. */
const MOST_RETRY = 3_600

const TOKEN_TROUBLE = [
  ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'],
  'not_allowed_token_type',
]
const PASSING = [
  ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org'],
]
/** Slack's error codes that matter here, and their reasons (docs.slack.dev/reference/methods). */
const TROUBLES: Readonly<Record<string, string>> = {
  message_not_found: 'gone',
  cant_update_message: 'gone',
  edit_window_closed: 'gone',
  missing_scope: 'scope',
  no_permission: 'scope',
  channel_not_found: 'chat',
  not_in_channel: 'chat',
  is_archived: 'chat',
}

const ANSWER = z.looseObject({ ok: z.boolean(), error: z.optional(z.string()) })

export function createSlackApi({ token, origin, transport, signal }: SlackConnection): SlackApi {
  const http = createScopedHttp({
    ...{ transport, limits: LIMITS, hosts: [new URL(origin).host] },
    exemptOrigins: origin === SLACK_ORIGIN ? [] : [origin],
    ...(signal !== undefined && { signal }),
  })
  return {
    async call(method, args) {
      const asked = await http.request({
        ...{ method: 'POST', url: `${origin}/api/${method}` },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(args),
      })
      return asked.ok ? meaningOf(asked.value) : asked
    },
  }
}

function meaningOf({ status, headers, body }: HttpResponse): Result<unknown> {
  if (status === 429) return err('remote_rate_limited', retryIn(headers['retry-after']))
  const { data: answer } = ANSWER.safeParse(parseJson(body))
  if (status >= 500 || answer === undefined) return err('remote_unavailable', { status })
  if (answer.ok) return ok(answer)
  const { error = '' } = answer
  if (TOKEN_TROUBLE.includes(error)) return err('credential_rejected', { status })
  if (error === 'ratelimited') return err('remote_rate_limited', retryIn(headers['retry-after']))
  if (PASSING.includes(error)) return err('remote_unavailable', { status })
  return err('remote_rejected', { status, why: TROUBLES[error] ?? 'other' })
}

function retryIn(header: string | undefined): { readonly retryAfter?: number } {
  const seconds = Number(header)
  if (header === undefined || !Number.isFinite(seconds) || seconds < 0) return {}
  return { retryAfter: Math.min(seconds, MOST_RETRY) * 1_000 }
}

const id = z.string().check(z.regex(/^[A-Z][A-Z0-9]{1,20}$/))
const IDENTITY = z.object({ team_id: id, user_id: id, user: z.optional(z.string()) })
/** A name as Slack forms them; any other text could mislead the owner on screen or in the chat. */
const NAME = /^[a-z0-9._-]{1,80}$/i

export interface SlackIdentity {
  readonly team: string
  /** Id and name of the bot user. */
  readonly user: string
  readonly name: string
}

/** Account of the token. Refusals as for `call`. */
export async function identityOf(api: SlackApi): Promise<Result<SlackIdentity>> {
  const asked = await api.call('auth.test', {})
  if (!asked.ok) return asked
  const found = IDENTITY.safeParse(asked.value)
  if (!found.success) return err('remote_rejected', { why: 'answer' })
  const { team_id: team, user_id: user, user: name = '' } = found.data
  return ok({ team, user, name: NAME.test(name) ? name : user })
}

const OPENED = z.object({ url: z.string() })

/**
 * Opens one Socket Mode connection and returns its URL, which is itself a credential. A URL that leads neither to Slack nor to the
 * configured emulator is refused. Refusals as for `call`; host_not_allowed.
 */
export async function openSocket(api: SlackApi, origin: string): Promise<Result<string>> {
  const asked = await api.call('apps.connections.open', {})
  if (!asked.ok) return asked
  const found = OPENED.safeParse(asked.value)
  if (!found.success) return err('remote_rejected', { why: 'answer' })
  return isSocketOf(found.data.url, origin) ? ok(found.data.url) : err('host_not_allowed')
}

function isSocketOf(text: string, origin: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (origin === SLACK_ORIGIN)
    return url.protocol === 'wss:' && url.port === '' && url.hostname.endsWith(SLACK_SOCKETS)
  return url.protocol === new URL(origin).protocol.replace('http', 'ws') && url.host === new URL(origin).host
}
