/**
 * Which URL may be requested: scheme, user info, port, host (I-04, I-05, R-27). Pure. Every hop of a redirect goes through the same
 * function. Must not resolve names. Called by scoped-client.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { checkHostname } from './hostname.ts'

/** What one tool may reach. */
export interface HostScope {
  /** Exact hosts (`gmail.googleapis.com`, `127.0.0.1:4100`), or `*` for every public host. */
  readonly hosts: readonly string[]
  /** Exact origins (scheme, host, port) that may use plain HTTP or private addresses: configured by the owner, such as an emulator. */
  readonly exemptOrigins: readonly string[]
}

export interface Target {
  readonly url: URL
  readonly exempt: boolean
}

/** Longest URL, in UTF-16 units: a longer one carries data, not an address. */
const MAX_URL = 2_048
/** Characters that WHATWG parsing would silently repair: each has been used to make two parsers see two hosts. */
const REPAIRED = /[\s\p{C}\\]/u
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** Refusals: url_malformed, scheme_not_allowed, host_not_allowed, address_private. Facts name the rule, never the URL. */
export function checkTarget(text: string, scope: HostScope): Result<Target> {
  const parsed = parseUrl(text)
  if (!parsed.ok) return parsed
  const url = parsed.value
  const exempt = isExempt(url, scope.exemptOrigins)
  const open = exempt ? ok(true as const) : checkPublic(url)
  if (!open.ok) return open
  if (!isListed(url, exempt, scope.hosts)) return err('host_not_allowed', { rule: 'allow_list' })
  return ok({ url, exempt })
}

function parseUrl(text: string): Result<URL> {
  if (text.length > MAX_URL) return err('url_malformed', { rule: 'length' })
  if (REPAIRED.test(text)) return err('url_malformed', { rule: 'characters' })
  const authority = AUTHORITY.exec(text)?.[1]
  if (authority === undefined || !URL.canParse(text)) return err('url_malformed', { rule: 'syntax' })
  // `https://good.example@evil.example/` shows one host to a person and addresses another.
  if (authority.includes('@')) return err('url_malformed', { rule: 'user_info' })
  return ok(new URL(text))
}

function checkPublic(url: URL): Result<true> {
  if (url.protocol !== 'https:') return err('scheme_not_allowed', { rule: 'https_only' })
  const host = checkHostname(url.hostname)
  if (!host.ok) return host
  return url.port === '' ? host : err('host_not_allowed', { rule: 'port' })
}

function isExempt(url: URL, origins: readonly string[]): boolean {
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  return web && origins.some((origin) => URL.canParse(origin) && new URL(origin).origin === url.origin)
}

/** `*` covers public hosts and exempt origins; a name covers exactly itself, with its port. */
function isListed(url: URL, exempt: boolean, hosts: readonly string[]): boolean {
  return hosts.includes('*') || hosts.includes(exempt ? url.host : url.hostname)
}
