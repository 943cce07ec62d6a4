/**
 * Headers and texts of a mail that its server has already parsed; postal-mime decodes encoded words (J-04). Must not throw on
 * hostile input, or decode the headers that addresses are read from (mailbox.ts). Pure. Called by shape.ts.
 */
import { decodeWords } from 'postal-mime'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../../reading.ts'

/** Maximum number and depth of parts that are read, since the sender builds the tree. */
const MAX_PARTS = 100
const MAX_DEPTH = 12
/** Maximum base64 characters of one part that are decoded; more text than is ever used. */
const MAX_PART_CHARS = 1_400_000
const MAX_HEADER = 10_000
/** Charsets whose bytes can look like plain ASCII or UTF-8, so that only the declaration counts. */
const STATEFUL = /^(?:iso-2022-|utf-16|utf-7|hz-)/i

/** The first header of this name, decoded for display. */
export function headerOf(payload: JsonRecord, name: string): string {
  return decodeWords((headersOf(payload, name)[0] ?? '').slice(0, MAX_HEADER))
}

/** Raw values of all headers of this name. */
export function headersOf(payload: JsonRecord, name: string): readonly string[] {
  return recordsOf(payload, 'headers')
    .filter((header) => stringOf(header, 'name').trim().toLowerCase() === name)
    .map((header) => stringOf(header, 'value'))
}

/**
 * Every part, the payload first, in order, within the limits. A mail inside the mail counts as one part: its text is not the
 * sender's.
 */
export function partsOf(payload: JsonRecord): readonly JsonRecord[] {
  const found: JsonRecord[] = []
  const visit = (part: JsonRecord, depth: number): void => {
    if (found.length >= MAX_PARTS || depth > MAX_DEPTH) return
    found.push(part)
    if (isMail(part)) return
    for (const child of recordsOf(part, 'parts')) visit(child, depth + 1)
  }
  visit(payload, 0)
  return found
}

export function isAttachment(part: JsonRecord): boolean {
  if (stringOf(part, 'filename') !== '' || isMail(part)) return true
  return /^\s*attachment/i.test(headerOf(part, 'content-disposition'))
}

/** The files of a mail, in order. An unnamed invitation is included unless the mail also contains it as a named file. */
export function attachmentsIn(parts: readonly JsonRecord[]): readonly JsonRecord[] {
  const named = parts.filter(isAttachment)
  return named.some(isInvitation) ? named : parts.filter((part) => isAttachment(part) || isInvitation(part))
}

export function isInvitation(part: JsonRecord): boolean {
  return INVITATION_TYPE.test(stringOf(part, 'mimeType')) || /\.ics$/i.test(stringOf(part, 'filename'))
}

export const INVITATION_TYPE = /^(?:text\/calendar|application\/ics)$/i
/** Name for a file without one. */
export const INVITATION_NAME = 'invite.ics'

function isMail(part: JsonRecord): boolean {
  return stringOf(part, 'mimeType').toLowerCase() === 'message/rfc822'
}

/** Text of the first part of this type that is no attachment; null if there is none. */
export function textOfType(parts: readonly JsonRecord[], type: 'text/plain' | 'text/html'): string | null {
  const part = parts.find(
    (candidate) =>
      stringOf(candidate, 'mimeType').toLowerCase() === type &&
      !isAttachment(candidate) &&
      typeof fieldOf(recordOf(candidate, 'body'), 'data') === 'string',
  )
  if (part === undefined) return null
  const bytes = fromBase64(stringOf(recordOf(part, 'body'), 'data').slice(0, MAX_PART_CHARS))
  return bytes === null ? null : decodeBytes(bytes, charsetOf(part))
}

function charsetOf(part: JsonRecord): string {
  return /charset\s*=\s*"?([A-Za-z0-9_:.-]{1,40})/i.exec(headerOf(part, 'content-type'))?.[1] ?? 'utf-8'
}

/**
 * Gmail converts most text to UTF-8 and leaves the declared charset unchanged. So bytes that are valid UTF-8 are read as UTF-8,
 * and the declared charset applies to the rest.
 */
function decodeBytes(bytes: Uint8Array, charset: string): string {
  const order = STATEFUL.test(charset) ? [charset, 'utf-8'] : ['utf-8', charset]
  for (const name of order) {
    try {
      return new TextDecoder(name, { fatal: true, ignoreBOM: false }).decode(bytes)
    } catch {}
  }
  return new TextDecoder().decode(bytes)
}

/** Base64 or base64url, with or without padding; null for anything else. */
function fromBase64(text: string): Uint8Array | null {
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  // Cut to whole groups: a single last character encodes no byte.
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
  try {
    return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
