/**
 * Parses mailboxes of address headers by RFC 5322 §3.4, on the raw value: encoded words may occur only in a phrase and are
 * decoded after the address was found (RFC 2047 §5). Must not choose among several: a header that two parsers could read
 * differently has no address.
 */
import { addressParser, decodeWords } from 'postal-mime'
import { isAddress } from '../../reading.ts'

/** Maximum UTF-16 units of a header: nobody writes a longer list, and a truncated header could hide another mailbox. */
const MAX_HEADER = 10_000
/** Control characters outside of folding: one parser drops them, another stops there. */
const CONTROL = /[^\P{Cc}\t\r\n]/u
/** Maximum addresses read from a list; far above what is shown. */
const MAX_ENTRIES = 500

export interface Mailbox {
  readonly address: string | null
  readonly name: string
}

/** Maximum number of words of a name that are searched: each costs a search at some servers. */
const MOST_PARTS = 8

/** Words of a name or an address for a search: all of them, in any order, so that "Chen, Sarah" finds Sarah Chen. */
export function partsOfName(text = ''): readonly string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}@._+-]+/u).map((part) => part.replace(/^[._+-]+|[._+-]+$/g, ''))
  return parts.filter((part) => part !== '').slice(0, MOST_PARTS)
}

/**
 * The single mailbox of a header that may occur once. Anything but one header with exactly one mailbox has no address; `name`
 * is then the header's text, or empty if there are several headers.
 */
export function soleMailbox(headers: readonly string[]): Mailbox {
  const [raw] = headers
  if (raw === undefined || headers.length > 1) return { address: null, name: '' }
  return mailboxIn(raw) ?? { address: null, name: decodeWords(raw.slice(0, MAX_HEADER)).trim() }
}

/** Addresses of all headers of a kind, such as To: one per entry, including group members. */
export function addressesIn(headers: readonly string[]): readonly string[] {
  const entries = headers.flatMap(entriesOf).slice(0, MAX_ENTRIES)
  return [...new Set(entries.flatMap((entry) => mailboxIn(entry)?.address ?? []))]
}

/** As `addressesIn`, with the display names. */
export function mailboxesIn(headers: readonly string[]): readonly (Mailbox & { readonly address: string })[] {
  return headers
    .flatMap(entriesOf)
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => mailboxIn(entry) ?? [])
}

/** Two parsers must agree: the lenient one of postal-mime, and the strict outline. */
function mailboxIn(raw: string): (Mailbox & { readonly address: string }) | null {
  const outline = outlineOf(raw)
  if (outline === null) return null
  const address = addressIn(outline)
  const [found, ...others] = addressParser(raw)
  if (address === null || found === undefined || others.length > 0 || found.group !== undefined) return null
  return found.address === address ? { address, name: found.name } : null
}

/** `phrase <address>` or `address`, with nothing after it. */
function addressIn(outline: string): string | null {
  const bracketed = /^[^<>,;:)\\]*<([^<>]*)>[ \t\r\n]*$/.exec(outline)
  const address = (bracketed?.[1] ?? outline).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  return isAddress(address) ? address : null
}

/** Entries of a list; for a group `name: a, b;` its members. */
function entriesOf(raw: string): readonly string[] {
  const outline = outlineOf(raw)
  if (outline === null) return []
  const ends = [...outline.matchAll(/[,;:]/g)].map(({ index }) => index)
  return [...ends, raw.length].map((end, at) => raw.slice((ends[at - 1] ?? -1) + 1, end))
}

/**
 * The header with each comment character replaced by a space and each quoted string by quotes, so that all remaining
 * punctuation belongs to the grammar. Null if one is not closed, or a comment contains brackets.
 */
function outlineOf(raw: string): string | null {
  if (raw.length > MAX_HEADER || CONTROL.test(raw)) return null
  let outline = ''
  let depth = 0
  let quoted = false
  // A character, or a backslash with the character it escapes.
  for (const [token] of raw.matchAll(/\\?./gs)) {
    const wasQuoted = quoted
    if (depth > 0 && /[<>]/.test(token)) return null
    if (token === '"' && depth === 0) quoted = !quoted
    if (token === '(' && !quoted) depth += 1
    const mark = depth > 0 ? ' ' : quoted || wasQuoted ? '"' : null
    if (token === ')' && depth > 0) depth -= 1
    outline += mark?.repeat(token.length) ?? token
  }
  return quoted || depth > 0 ? null : outline
}
