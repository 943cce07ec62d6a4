/**
 * Which URL and host name may be requested, before any resolution: scheme, user info, port, host (I-04, I-05, R-27). Pure. Every
 * hop of a redirect goes through the same function. At the edge this is the whole defence that code can give, because a Worker
 * cannot resolve and pin; at home the transport also checks the addresses. Called by scoped-client.ts.
 */

import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { urlOf } from '../extractors/url.ts'
import { isAddressLiteral, isPublicAddress, withoutBrackets } from './address.ts'

/** What one tool may reach. */
export interface HostScope {
  /** Exact hosts (`gmail.googleapis.com`, `127.0.0.1:4100`, `dav.example.com:8443`), or `*` for every public host at its usual port. */
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
  const open = exempt ? ok(true as const) : checkPublic(url, scope.hosts)
  if (!open.ok) return open
  if (!isListed(url, exempt, scope.hosts)) return err('host_not_allowed', { rule: 'allow_list' })
  return ok({ url, exempt })
}

function parseUrl(text: string): Result<URL> {
  if (text.length > MAX_URL) return err('url_malformed', { rule: 'length' })
  if (REPAIRED.test(text)) return err('url_malformed', { rule: 'characters' })
  const authority = AUTHORITY.exec(text)?.[1]
  const url = urlOf(text)
  if (authority === undefined || url === null) return err('url_malformed', { rule: 'syntax' })
  // `https://good.example@evil.example/` shows one host to a person and addresses another.
  if (authority.includes('@')) return err('url_malformed', { rule: 'user_info' })
  return ok(url)
}

function checkPublic(url: URL, hosts: readonly string[]): Result<true> {
  if (url.protocol !== 'https:') return err('scheme_not_allowed', { rule: 'https_only' })
  const host = checkHostname(url.hostname)
  if (!host.ok) return host
  // A non-default port is allowed only if the host is listed with exactly that port.
  return url.port === '' || hosts.includes(url.host) ? host : err('host_not_allowed', { rule: 'port' })
}

function isExempt(url: URL, origins: readonly string[]): boolean {
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  return web && origins.some((origin) => urlOf(origin)?.origin === url.origin)
}

/** `*` covers public hosts and exempt origins; a name covers exactly itself, with its port. */
function isListed(url: URL, exempt: boolean, hosts: readonly string[]): boolean {
  return hosts.includes('*') || hosts.includes(exempt || url.port !== '' ? url.host : url.hostname)
}

/** Longest name, in octets (RFC 1035 §2.3.4). */
const MAX_NAME = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Suffixes that never name a public host: RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's `internal`, and common practice. */
const LOCAL_SUFFIXES: ReadonlySet<string> = new Set(
  'localhost local internal arpa test invalid example onion alt lan home corp intranet private localdomain'.split(
    ' ',
  ),
)

/** Public zones whose names spell their own address, so that `127.0.0.1.nip.io` passes any rule on names. */
const ADDRESS_ZONES: readonly string[] = 'nip.io sslip.io xip.io localtest.me lvh.me vcap.me'.split(' ')

/**
 * Checks a name as WHATWG URL parsing returns it: lower case, punycode, addresses in canonical spelling. Refuses address literals
 * of every kind, single labels, trailing dots, local suffixes, and text that is no host name.
 */
export function checkHostname(hostname: string): Result<true> {
  if (isAddressLiteral(hostname)) return refuseLiteral(hostname)
  const trailingDot = hostname.endsWith('.')
  const name = trailingDot ? hostname.slice(0, -1) : hostname
  const labels = name.split('.')
  if (isLocalName(name, labels)) return err('address_private', { rule: 'local_name' })
  if (trailingDot) return err('host_not_allowed', { rule: 'trailing_dot' })
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label)))
    return err('url_malformed', { rule: 'host_name' })
  return ok(true)
}

function refuseLiteral(hostname: string): Result<true> {
  return isPublicAddress(withoutBrackets(hostname))
    ? err('host_not_allowed', { rule: 'address_literal' })
    : err('address_private', { rule: 'address_literal' })
}

function isLocalName(name: string, labels: readonly string[]): boolean {
  if (labels.length < 2) return true
  if (LOCAL_SUFFIXES.has(labels.at(-1) ?? '')) return true
  return ADDRESS_ZONES.some((zone) => name === zone || name.endsWith(`.${zone}`))
}
