/**
 * Kinds of documents by their first bytes, and what is read of them: text, title and events (J-08, J-13). All
 * text is untrusted and stays raw; kinds, numbers and dates are structured. Must not parse. Called by the
 * readers at home and by the tools that show a document.
 */
import type { FileText } from '../../kernel/features/files/file-port.ts'
import type { RecordSpec } from '../../kernel/flow/field.ts'
import { isPlainRecord } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { cleanLine, cleanText, toDate } from './page-clean.ts'

export const DOCUMENT_KINDS = Object.freeze([
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'calendar',
] as const)
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** UTF-16 units of texts, and most of each list. */
export const DOCUMENT_LIMITS = Object.freeze({
  ...{ title: 300, place: 300, note: 1_000, address: 320 },
  /** Events of a file, and people of one event. */
  ...{ events: 10, people: 50 },
})

/** What an invitation asks for (RFC 5546, 1.4), as far as a person acts on it. */
export const INVITATION_METHODS = Object.freeze(['request', 'cancel', 'reply', 'publish', 'other'] as const)

/** An event of a calendar file: an invitation, its answer, its end, or an entry that was sent. */
export interface InvitedEvent {
  readonly method: (typeof INVITATION_METHODS)[number]
  readonly title: string
  readonly from: string
  readonly to: string
  readonly allDay: boolean
  readonly repeats: boolean
  readonly place?: string
  readonly note?: string
  readonly organizer?: string
  readonly attendees: readonly string[]
  /** How many are invited, with those beyond the bound and without an address. */
  readonly invited: number
}

/** The declaration of the same, for tools. */
export const EVENT_FIELDS: RecordSpec['fields'] = {
  method: { kind: 'enum', values: INVITATION_METHODS },
  title: { kind: 'text', max: DOCUMENT_LIMITS.title },
  from: { kind: 'date' },
  to: { kind: 'date' },
  allDay: { kind: 'boolean' },
  repeats: { kind: 'boolean' },
  place: { kind: 'text', max: DOCUMENT_LIMITS.place, optional: true },
  note: { kind: 'text', max: DOCUMENT_LIMITS.note, optional: true },
  organizer: { kind: 'email', optional: true },
  attendees: { kind: 'list', max: DOCUMENT_LIMITS.people, of: { kind: 'email' } },
  invited: { kind: 'number' },
}

export interface DocumentText extends FileText {
  readonly kind: DocumentKind
  /** Of a calendar alone. */
  readonly events?: readonly InvitedEvent[]
}

/**
 * Parses a document, in isolation. Refusals: field_malformed for what is none that is known, nothing_found
 * without text, key_unavailable behind a password, tool_failed when the parser gave up, sandbox_missing.
 */
export type DocumentReader = (bytes: Uint8Array) => Promise<Result<DocumentText>>

/** `%PDF-`, and the local header that begins every ZIP file, and so every office document. */
const PDF_MARK = '%PDF-'
const ZIP_MARK = 'PK\u0003\u0004'
const CALENDAR_MARK = /^(?:\ufeff)?\s{0,64}BEGIN:VCALENDAR\s/i
/** What a file of Office with a password begins with, and one from before 2007: its reader says which. */
const LOCKED_MARK = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
/** Bytes that are looked at. */
const MARK_WINDOW = 128

/** Which reader a file needs, by its first bytes; null for what no reader takes. */
export function formatOf(bytes: Uint8Array): 'pdf' | 'office' | 'calendar' | null {
  const head = String.fromCharCode(...bytes.subarray(0, MARK_WINDOW))
  if (head.startsWith(PDF_MARK)) return 'pdf'
  if (head.startsWith(ZIP_MARK) || head.startsWith(LOCKED_MARK)) return 'office'
  return CALENDAR_MARK.test(head.replace(/^\u00ef\u00bb\u00bf/, '')) ? 'calendar' : null
}

/** Mail addresses that the kernel's `email` kind accepts. */
const ADDRESS = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/u

/**
 * What a reader found of one event, made to fit its declaration; null where it has no time. Everything in it
 * is a sender's claim.
 */
export function invitedEvent(raw: unknown): InvitedEvent | null {
  if (!isPlainRecord(raw)) return null
  const text = (name: string, most: number): string => {
    const value = Object.hasOwn(raw, name) ? raw[name] : null
    return typeof value === 'string' ? cleanLine(value.slice(0, most * 4), most) : ''
  }
  const [from, to] = [toDate(text('from', 40)), toDate(text('to', 40))]
  if (from === null || to === null) return null
  const method = text('method', 20).toLowerCase()
  const [place, organizer] = [
    text('place', DOCUMENT_LIMITS.place),
    text('organizer', DOCUMENT_LIMITS.address),
  ]
  const said = raw['note']
  const note = typeof said === 'string' ? cleanText(said, DOCUMENT_LIMITS.note) : ''
  const people = Array.isArray(raw['attendees']) ? raw['attendees'] : []
  const invited = raw['invited']
  return {
    method: INVITATION_METHODS.find((known) => known === method) ?? 'other',
    title: text('title', DOCUMENT_LIMITS.title),
    ...{ from, to, allDay: raw['allDay'] === true, repeats: raw['repeats'] === true },
    ...(place !== '' && { place }),
    ...(note !== '' && { note }),
    ...(isAddress(organizer) && { organizer }),
    attendees: people.filter(isAddress).slice(0, DOCUMENT_LIMITS.people),
    invited: typeof invited === 'number' && Number.isSafeInteger(invited) ? invited : people.length,
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= DOCUMENT_LIMITS.address && ADDRESS.test(value)
}
