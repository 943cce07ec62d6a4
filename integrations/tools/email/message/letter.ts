/**
 * Builds the owner's letter from the arguments of a call and the answered mail. Recipients come only from the arguments, which
 * the card showed; the mail's headers can only cause a refusal. Pure; must not send. Called by run.ts.
 */
import { err, ok, type Refusal, type Result } from '../../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../../kernel/tool/manifest.ts'
import { isAddress, type JsonRecord, recordOf } from '../../reading.ts'
import type { Letter } from '../mailbox-port.ts'
import { addressesIn, soleMailbox } from './mailbox.ts'
import { headerOf, headersOf } from './mime.ts'
import { signed } from './sender.ts'

type Args = ToolCall['args']

/**
 * Maximum number of message ids of a thread that are passed on: RFC 5322 permits shortening the list, and a sender may write any
 * ids.
 */
const MAX_REFERENCES = 20
const MESSAGE_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}@[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/
/** Characters that would end a header line or reorder what is shown; no real subject contains them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** A text keeps its line breaks and tabs. */
const UNSEEN_TEXT = /[^\P{Cc}\t\n\r]/u

/** Values of every letter besides its arguments. */
export interface Writing {
  readonly messageId: string
  readonly signature: string | null
}

/** A new mail. Refusal: tool_arguments_invalid. */
export function newLetter(args: Args, { messageId, signature }: Writing): Result<Letter> {
  const to = listOf(args, 'to')
  const bare = { to, cc: listOf(args, 'cc'), bcc: listOf(args, 'bcc') }
  const text = signed(textOf(args, 'body'), signature)
  return checked({ ...bare, subject: textOf(args, 'subject'), text, messageId })
}

/** A draft. One that answers a mail goes to its sender if no recipient is named; the owner sees it before sending. */
export function draftLetter(args: Args, writing: Writing, answered: JsonRecord | null): Result<Letter> {
  const made = newLetter(args, writing)
  if (!made.ok || answered === null) return made
  const payload = recordOf(answered, 'payload')
  const sender = soleMailbox(headersOf(payload, 'from')).address
  const to = made.value.to.length > 0 || sender === null ? made.value.to : [sender]
  const subject = made.value.subject === '' ? plain(headerOf(payload, 'subject')) : made.value.subject
  return checked({ ...made.value, to, subject: prefixed('Re', subject), ...threadOf(payload) })
}

/**
 * A reply to the single sender of a mail, as named on the card. Refusals: mail_sender_unclear; mail_recipient_differs if the card
 * named somebody else, did not show a Reply-To, or named a person who did not get the mail; tool_arguments_invalid.
 */
export function replyLetter(
  args: Args,
  { messageId, signature }: Writing,
  answered: JsonRecord,
): Result<Letter> {
  const payload = recordOf(answered, 'payload')
  const sender = soleMailbox(headersOf(payload, 'from')).address
  if (sender === null) return err('mail_sender_unclear')
  const to = textOf(args, 'to')
  if (!isSame(to, sender)) return differs('from')
  const elsewhere = replyToOf(payload)
  if (elsewhere !== null && !isSame(textOf(args, 'replyTo'), elsewhere)) return differs('reply_to')
  const others = [...addressesIn(headersOf(payload, 'to')), ...addressesIn(headersOf(payload, 'cc'))]
  const also = listOf(args, 'also')
  if (!also.every((one) => others.some((other) => isSame(one, other)))) return differs('also')
  const quoted = textOf(args, 'quoted')
  const own = signed(textOf(args, 'body'), signature)
  const text = quoted === '' ? own : `${own}\n\n${quote(quoted)}`
  const subject = prefixed('Re', plain(textOf(args, 'subject')))
  return checked({ to: [to], cc: also, bcc: [], subject, text, messageId, ...threadOf(payload) })
}

/** A forwarded mail with the text that the card showed. It is no answer, so it joins no thread. */
export function forwardLetter(args: Args, { messageId, signature }: Writing): Result<Letter> {
  const note = signed(textOf(args, 'note'), signature)
  const text = `${note === '' ? '' : `${note}\n\n`}${quote(textOf(args, 'text'))}`
  const subject = prefixed('Fwd', plain(textOf(args, 'subject')))
  return checked({ to: listOf(args, 'to'), cc: [], bcc: [], subject, text, messageId })
}

/** Address of Reply-To, if it is a single mailbox other than From. */
export function replyToOf(payload: JsonRecord): string | null {
  const headers = headersOf(payload, 'reply-to')
  if (headers.length === 0) return null
  const { address } = soleMailbox(headers)
  const { address: from } = soleMailbox(headersOf(payload, 'from'))
  return address === null || (from !== null && isSame(address, from)) ? null : address
}

/** In-Reply-To and References (RFC 5322 §3.6.4) of a reply. Omits invalid ids. */
function threadOf(payload: JsonRecord): Pick<Letter, 'inReplyTo' | 'references'> {
  const [id] = idsIn(headersOf(payload, 'message-id'))
  if (id === undefined) return {}
  const before = idsIn(headersOf(payload, 'references')).slice(-MAX_REFERENCES)
  return { inReplyTo: id, references: [...before.filter((one) => one !== id), id] }
}

/** The valid message ids. */
export function idsIn(headers: readonly string[]): readonly string[] {
  return headers
    .flatMap((header) => [...header.slice(0, 10_000).matchAll(/<([^<>\s]{3,400})>/g)])
    .flatMap(([, id = '']) => (MESSAGE_ID.test(id) ? [id] : []))
}

/** Refuses characters that end a header line: the card shows one line, and one line is sent. */
function checked(letter: Letter): Result<Letter> {
  const all = [...letter.to, ...letter.cc, ...letter.bcc]
  if (!all.every(isAddress)) return invalid('address')
  if (new Set(all.map((one) => one.toLowerCase())).size < all.length) return invalid('address_twice')
  if (UNSEEN.test(letter.subject)) return invalid('subject')
  return UNSEEN_TEXT.test(letter.text) ? invalid('text') : ok(letter)
}

function invalid(rule: string): { readonly ok: false; readonly reason: Refusal } {
  return err('tool_arguments_invalid', { rule })
}

function differs(rule: string): { readonly ok: false; readonly reason: Refusal } {
  return err('mail_recipient_differs', { rule })
}

/** A single prefix, however many there were. */
function prefixed(prefix: 'Re' | 'Fwd', subject: string): string {
  const known = prefix === 'Re' ? /^re\s*:/i : /^(?:fwd?|fw)\s*:/i
  return known.test(subject) ? subject : `${prefix}: ${subject}`
}

/** A header as one line. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function quote(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function textOf(args: Args, name: string): string {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}

function listOf(args: Args, name: string): readonly string[] {
  const value = args[name]
  return Array.isArray(value) ? value.map(String) : []
}
