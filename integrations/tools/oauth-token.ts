/**
 * Exchanges a refresh token for an access token (RFC 6749 §6, I-11) at exactly one endpoint, and revokes a permission. Follows no
 * redirect, because the request body is the secret. Must not store or retry, or put the service's text into a reason. Called by
 * home's custody of secrets.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createScopedHttp } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'
import { checkStatus } from './remote.ts'

export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string | null
}

export interface ExchangeInput extends OAuthClient {
  /** The token endpoint. */
  readonly url: string
  readonly refreshToken: string
  readonly transport: Transport
  /** Exact origins that may use plain http and private addresses. Only the endpoint's own origin matters. */
  readonly exemptOrigins: readonly string[]
}

export interface RevokeInput extends Pick<ExchangeInput, 'url' | 'transport' | 'exemptOrigins'> {
  readonly token: string
  /** Null if the service revokes the permission for everybody who has the token. */
  readonly client: OAuthClient | null
}

export interface Exchanged {
  readonly accessToken: string
  /** Milliseconds. */
  readonly lifetime: number
  /** A new refresh token, if the service rotates it on each exchange. */
  readonly refreshToken: string | null
}

/** Assumed lifetime, seconds, if the service names none: the token is soon exchanged again. */
const SHORT_LIFE = 60
/** Seconds after which a token is exchanged again although it is still valid: some services name a month. */
const LONGEST_LIFE = 86_400
/** Maximum bytes of an answer, which holds a few tokens. */
const MAX_ANSWER = 65_536

const word = z.string().check(z.regex(/^[\x21-\x7e]{8,4096}$/))
const answer = z.object({
  access_token: word,
  // Slack says whose it is instead, and takes it as any bearer token; that of a bot is no one's account.
  token_type: z.string().check(z.regex(/^(?:bearer|user)$/i)),
  expires_in: z._default(z.number().check(z.positive()), SHORT_LIFE),
  refresh_token: z.optional(word),
})
/** RFC 6749 §5.2: errors that a retry does not fix, but a new permission does. */
const OVER = z.object({ error: z.enum(['invalid_grant', 'invalid_client', 'unauthorized_client']) })

/** Some services refuse with status 200, by their own codes: https://docs.slack.dev/reference/methods/oauth.v2.access */
const REFUSED = z.object({ ok: z.literal(false), error: z.string() })
const OVER_CODES: readonly string[] = [
  ...['invalid_refresh_token', 'invalid_grant', 'token_revoked', 'token_expired', 'account_inactive'],
  ...['invalid_client_id', 'bad_client_secret', 'token_rotation_not_enabled', 'org_login_required'],
]
const BUSY_CODES: readonly string[] = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]

/** Google's error for a token that was already revoked. */
const UNKNOWN = z.object({ error: z.literal('invalid_token') })

/** Refusals: credential_rejected (the permission ended), remote_rejected, those of `ScopedHttp` and `checkStatus`, tool_result_invalid. */
export async function exchangeRefreshToken(input: ExchangeInput): Promise<Result<Exchanged>> {
  const { url, transport } = input
  const { host, origin } = new URL(url)
  const http = createScopedHttp({
    ...{ hosts: [host], transport, limits: { maxRedirects: 0, maxBytes: MAX_ANSWER } },
    exemptOrigins: input.exemptOrigins.filter((exempt) => exempt === origin),
  })
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const response = await http.request({ method: 'POST', url, headers, body: formOf(input) })
  if (!response.ok) return response
  const { status, body } = response.value
  const said = decode(body)
  if (status >= 400 && status < 500 && OVER.safeParse(said).success)
    return err('credential_rejected', { status })
  const passed = checkStatus({ status, body })
  if (!passed.ok) return passed
  const refused = REFUSED.safeParse(said)
  if (refused.success) return refusalOf(refused.data.error)
  const { data } = answer.safeParse(said)
  if (data === undefined) return err('tool_result_invalid', { rule: 'token_answer' })
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken = null } = data
  return ok({ accessToken, lifetime: Math.min(seconds, LONGEST_LIFE) * 1_000, refreshToken })
}

function refusalOf(code: string): Result<never> {
  if (OVER_CODES.includes(code)) return err('credential_rejected')
  if (code === 'ratelimited') return err('remote_rate_limited')
  return BUSY_CODES.includes(code) ? err('remote_unavailable') : err('remote_rejected')
}

/**
 * Revokes a permission at its service (RFC 7009). Refusals: those of `ScopedHttp` and `checkStatus`. A token that the service
 * does not know counts as revoked.
 */
export async function revokeToken({
  url,
  token,
  client,
  transport,
  exemptOrigins,
}: RevokeInput): Promise<Result<true>> {
  const { host, origin } = new URL(url)
  const http = createScopedHttp({
    ...{ hosts: [host], transport, limits: { maxRedirects: 0, maxBytes: MAX_ANSWER } },
    exemptOrigins: exemptOrigins.filter((exempt) => exempt === origin),
  })
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const form = new URLSearchParams({ token, token_type_hint: 'refresh_token' })
  if (client !== null) nameClient(form, client)
  const body = form.toString()
  const response = await http.request({ method: 'POST', url, headers, body })
  if (!response.ok) return response
  const isUnknown = response.value.status === 400 && UNKNOWN.safeParse(decode(response.value.body)).success
  return isUnknown ? ok(true) : checkStatus(response.value)
}

function formOf({ clientId, clientSecret, refreshToken }: ExchangeInput): string {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
  nameClient(form, { clientId, clientSecret })
  return form.toString()
}

/** Sends the client's credentials in the body, which all listed services accept. */
function nameClient(form: URLSearchParams, { clientId, clientSecret }: OAuthClient): void {
  form.set('client_id', clientId)
  if (clientSecret !== null) form.set('client_secret', clientSecret)
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
