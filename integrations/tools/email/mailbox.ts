/**
 * Mailboxes of address headers by RFC 5322 §3.4, on the raw value: encoded words are a phrase's, and are decoded after the
 * address was found (RFC 2047 §5). Must not choose among several: a header that two readers could read differently has none.
 */
import { addressParser } from 'postal-mime'
import { isAddress } from '../reading.ts'
import { decodeWords } from './mime.ts'

/** UTF-16 units of one header: more is no list that a person wrote, and what was cut off could be another mailbox. */
const MAX_HEADER = 10_000
/** Control characters but those of a fold: one reader drops them, and another ends there. */
const CONTROL = /[^\P{Cc}\t\r\n]/u
/** Addresses looked at in a list: far above any that is shown. */
const MAX_ENTRIES = 500

export interface Mailbox {
  readonly address: string | null
  readonly name: string
}

/**
 * The one mailbox of a header that may stand once. Anything else than one header with exactly one mailbox has no address; `name`
 * is then what the header says, and empty where there are several.
 */
export function soleMailbox(headers: readonly string[]): Mailbox {
  const [raw] = headers
  if (raw === undefined || headers.length > 1) return { address: null, name: '' }
  return mailboxIn(raw) ?? { address: null, name: decodeWords(raw.slice(0, MAX_HEADER)).trim() }
}

/** Addresses of all headers of a kind, such as To: one an entry, members of groups among them. */
export function addressesIn(headers: readonly string[]): readonly string[] {
  const entries = headers.flatMap(entriesOf).slice(0, MAX_ENTRIES)
  return [...new Set(entries.flatMap((entry) => mailboxIn(entry)?.address ?? []))]
}

/** Two readings have to agree: the parser's, which forgives, and the outline's, which does not. */
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

/** A list's entries; of a group `name: a, b;` its members. */
function entriesOf(raw: string): readonly string[] {
  const outline = outlineOf(raw)
  if (outline === null) return []
  const ends = [...outline.matchAll(/[,;:]/g)].map(({ index }) => index)
  return [...ends, raw.length].map((end, at) => raw.slice((ends[at - 1] ?? -1) + 1, end))
}

/**
 * The header with every character of a comment as a space and of a quoted string as a quote, so that the marks that are left are
 * the grammar's. Null where one does not end, and where a comment holds brackets.
 */
function outlineOf(raw: string): string | null {
  if (raw.length > MAX_HEADER || CONTROL.test(raw)) return null
  let outline = ''
  let depth = 0
  let quoted = false
  // A character, or one with its backslash.
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
