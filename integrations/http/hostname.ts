/**
 * Which host names may be requested, before any resolution (I-04, I-05). Pure. At the edge this is the whole defence that code can
 * give, because a Worker cannot resolve and pin; at home the transport also checks the addresses. Called by target.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isAddressLiteral, isPublicAddress, withoutBrackets } from './address.ts'

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
