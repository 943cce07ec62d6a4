/**
 * Obtains a lasting permission at a service through the owner's browser: authorization code with PKCE over loopback, with an
 * OAuth client of the owner's own (RFC 6749, 7636, 8252). Must not store, print or log a code or a token. Called by `pfar
 * connect`.
 */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  validateAuthResponse,
} from 'oauth4webapi'
import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import type { OAuthScope, OAuthService } from '../../integrations/tools/oauth-service.ts'
import { isAddress } from '../../integrations/tools/reading.ts'
import { checkStatus } from '../../integrations/tools/remote.ts'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import { isSaying, tell } from '../language/wording.ts'
import { openLoopback } from './loopback.ts'

export interface ConsentInput {
  readonly service: OAuthService
  readonly client: { readonly id: string; readonly secret: string | null }
  readonly scopes: readonly OAuthScope[]
  readonly transport: Transport
  /** Exact origins that may use plain http: an emulator on this machine. */
  readonly exemptOrigins: readonly string[]
  /** Shows the URL that the owner has to open in a browser. */
  readonly show: (url: string) => void
  /** The URL at which a browser on another machine ended, as pasted by the owner; never resolves if nobody pastes one. */
  readonly pasted: () => Promise<string>
}

export interface Granted {
  /** Name of the account. */
  readonly account: string
  readonly refreshToken: string
  /** Milliseconds after which the service ends the permission; null if it did not say. */
  readonly lifetime: number | null
  /** The granted scopes; the owner may have declined some. */
  readonly scopes: readonly OAuthScope[]
}

/** Milliseconds to sign in, perhaps with a second factor. */
const PATIENCE_MS = 600_000
const MAX_ANSWER = 65_536

/** Refusals: approval_denied (the owner said no there), response_timeout, credential_rejected (`rule`: port, client, code, state, lasting, account, scope), and those of the network. */
export async function askConsent(input: ConsentInput): Promise<Result<Granted>> {
  const loopback = await openLoopback(input.service.redirect)
  if (loopback === null) return rejected('port')
  const state = generateRandomState()
  const verifier = generateRandomCodeVerifier()
  const url = await firstRequest(input, { state, verifier, redirect: loopback.address })
  let granted: Result<Granted> = err('response_timeout')
  try {
    const arrival = Promise.race([loopback.arrival(state), pastedQuery(input), late()])
    input.show(url.href)
    const query = await arrival
    if (query !== null)
      granted = await exchange(input, { query, state, verifier, redirect: loopback.address })
    return granted
  } finally {
    await loopback.close(pageOf(input, granted))
  }
}

interface Started {
  readonly state: string
  readonly verifier: string
  readonly redirect: string
}

async function firstRequest(
  { service, client, scopes }: ConsentInput,
  { state, verifier, redirect }: Started,
): Promise<URL> {
  const url = new URL(service.authorize)
  const params = {
    ...service.params,
    ...{ client_id: client.id, redirect_uri: redirect, response_type: 'code', state },
    scope: scopes.map(({ scope }) => scope).join(' '),
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

async function pastedQuery({ pasted }: ConsentInput): Promise<URLSearchParams> {
  for (;;) {
    const url = URL.parse((await pasted()).trim())
    // Asks again for any other input.
    if (url?.searchParams.has('state') === true) return url.searchParams
  }
}

function late(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE_MS).unref())
}

async function exchange(
  input: ConsentInput,
  { query, state, verifier, redirect }: Started & { readonly query: URLSearchParams },
): Promise<Result<Granted>> {
  const { service, client, scopes } = input
  const server: AuthorizationServer = {
    ...{ issuer: service.issuer, token_endpoint: service.token },
    authorization_endpoint: service.authorize,
  }
  const own = { client_id: client.id }
  let unreached: Refusal | null = null
  const send = async (url: string, init: { readonly body?: unknown; readonly headers?: unknown }) => {
    const sent = await scopedTo(input, url).request({
      ...{ method: 'POST', url, body: String(init.body) },
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    })
    if (sent.ok) return new Response(sent.value.body, { status: sent.value.status, headers: JSON_BODY })
    unreached = sent.reason
    throw new Error('not reached')
  }
  try {
    const answer = validateAuthResponse(server, own, query, state)
    const auth = client.secret === null ? None() : ClientSecretPost(client.secret)
    const options = { [customFetch]: send, [allowInsecureRequests]: service.token.startsWith('http:') }
    const response = await authorizationCodeGrantRequest(
      ...([server, own, auth, answer, redirect, verifier, options] as const),
    )
    const token = await processAuthorizationCodeResponse(server, own, response)
    if (token.refresh_token === undefined) return rejected('lasting')
    // Some services report the scope only in the redirect.
    const said = (token.scope ?? answer.get('scope') ?? undefined)?.split(' ')
    const allowed = said === undefined ? scopes : scopes.filter(({ scope }) => said.includes(scope))
    if (allowed.length === 0) return rejected('scope')
    const whose = await accountOf(input, token.access_token)
    const account = whose.ok || service.hasTable ? whose : ok(service.title)
    if (!account.ok) return account
    const lifetime = lifetimeIn(token)
    return ok({ account: account.value, refreshToken: token.refresh_token, lifetime, scopes: allowed })
  } catch (thrown) {
    return unreached === null ? refusalOf(thrown) : { ok: false, reason: unreached }
  }
}

/** Longest lifetime in seconds that counts as an end; a longer one is as good as lasting. */
const LONGEST_LIFE = 366 * 86_400

/** `refresh_token_expires_in`, seconds: Google's name for the lifetime of a limited permission. */
function lifetimeIn({ refresh_token_expires_in: seconds }: Readonly<Record<string, unknown>>): number | null {
  return typeof seconds === 'number' && seconds > 0 && seconds < LONGEST_LIFE
    ? Math.floor(seconds) * 1_000
    : null
}

const JSON_BODY = { 'content-type': 'application/json' }

function scopedTo({ transport, exemptOrigins }: ConsentInput, url: string) {
  const { host, origin } = new URL(url)
  return createScopedHttp({
    ...{ hosts: [host], transport, limits: { maxRedirects: 0, maxBytes: MAX_ANSWER } },
    exemptOrigins: exemptOrigins.filter((exempt) => exempt === origin),
  })
}

/** The service's words are dropped: they may quote the code. */
function refusalOf(thrown: unknown): Result<never> {
  if (thrown instanceof AuthorizationResponseError)
    return thrown.error === 'access_denied' ? err('approval_denied') : rejected('client')
  if (thrown instanceof ResponseBodyError)
    return rejected(thrown.error === 'invalid_grant' ? 'code' : 'client')
  return rejected('state')
}

function rejected(rule: string): Result<never> {
  return err('credential_rejected', { rule })
}

async function accountOf(input: ConsentInput, token: string): Promise<Result<string>> {
  const { base, path, field } = input.service.account
  const url = new URL(path, base).href
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answer = await scopedTo(input, url).request({ method: 'GET', url, headers })
  if (!answer.ok) return answer
  const status = checkStatus(answer.value)
  if (!status.ok) return status
  const found: unknown = jsonIn(answer.value.body)
  const account: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, field) : null
  return typeof account === 'string' && isAddress(account) ? ok(account) : rejected('account')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function pageOf({ service, scopes }: ConsentInput, granted: Result<Granted>): readonly string[] {
  const { title, consents } = service
  if (!granted.ok) return [tell('consent_setup.page_nothing', { title }), tell('consent_setup.page_why')]
  const { value } = granted
  const left = scopes.filter((one) => !value.scopes.includes(one))
  const bullets = (some: readonly OAuthScope[]): readonly string[] =>
    some.map((one) => `• ${meaningOf(service, one)}`)
  return [
    tell('consent_setup.page_may', { account: value.account, title }),
    ...bullets(value.scopes),
    ...(left.length > 0 ? [tell('consent_setup.page_left'), ...bullets(left)] : []),
    tell('consent_setup.page_end', { page: consents }),
  ]
}

/** Throws for a scope without words, which is a bug of its package. */
export function meaningOf({ service }: OAuthService, { means }: OAuthScope): string {
  const saying = `consent_setup.${service}_${means}`
  if (!isSaying(saying)) throw new Error(`no words for ${saying}`)
  return tell(saying)
}
