/**
 * Which IP addresses are public: the check of every resolved address (I-05). Pure. Must not resolve, and must
 * not trust the spelling: it judges the parsed address. Called by target.ts and by home's pinned transport.
 */
import ipaddr from 'ipaddr.js'

/**
 * Global unicast, RFC 4291 §2.4: everything else in IPv6 is special, including `::10.0.0.1` and unassigned
 * ranges.
 */
const GLOBAL_UNICAST = { first: 0x2000, mask: 0xe000 } as const

/**
 * True only for an address that the public internet routes. False for private, loopback, link-local and
 * metadata, shared, reserved, multicast, documentation, v4-mapped, NAT64, 6to4 and Teredo addresses, any zone
 * id, and text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (!(address instanceof ipaddr.IPv6)) return ipaddr.IPv4.isValidFourPartDecimal(text)
  return ((address.parts[0] ?? 0) & GLOBAL_UNICAST.mask) === GLOBAL_UNICAST.first
}

/** True for a host that is an IP address, as WHATWG URL parsing spells it: dotted decimal or in brackets. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.isValid(hostname)
}

/** `[::1]` → `::1`. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
}
