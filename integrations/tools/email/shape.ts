/**
 * Converts a message in the form of Gmail's resource, which home's IMAP client produces too, to the declared fields. The sender's
 * text is cleaned and bounded; it stays untrusted. Refuses a resource without id or date. Pure; must not send requests. Called by
 * run.ts.
 */
import { decodeWords } from 'postal-mime'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { mentionedDates } from '../../dates/mentioned.ts'
import { writtenDates } from '../../dates/read.ts'
import { createZone, type Zone } from '../../dates/zone.ts'
import type { InvitedEvent } from '../../extractors/document.ts'
import { ownWords, sentencesIn } from '../../extractors/own-words.ts'
import type { HtmlText } from '../../extractors/page.ts'
import { cleanLine, cleanText, toDate, toInstant } from '../../extractors/page-clean.ts'
import { decodeEntities } from '../../extractors/page-entities.ts'
import { fieldOf, idOf, type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { EMAIL_TEXT, MAX_DATES, MAX_FILES, MAX_RECIPIENTS } from './manifest.ts'
import { appointmentsOf } from './message/appointments.ts'
import { isMailing } from './message/asking.ts'
import { replyToOf } from './message/letter.ts'
import { addressesIn, mailboxesIn, soleMailbox } from './message/mailbox.ts'
import { linksIn, requestsIn } from './message/mentions.ts'
import {
  headerOf,
  headersOf,
  INVITATION_NAME,
  isAttachment,
  isInvitation,
  partsOf,
  textOfType,
} from './message/mime.ts'

export interface EmailHead {
  readonly id: string
  readonly from?: string
  readonly senderUnclear?: true
  readonly replyTo?: string
  readonly fromName: string
  readonly subject: string
  readonly date: string
  readonly hasAttachments: boolean
}

/**
 * `isOwn`: the owner sent or drafted it, judged by its folder; `own`: the owner's addresses. For such a mail the recipient is
 * shown rather than the sender.
 */
export function shapeListed(
  message: JsonRecord,
  { isOwn = false, own = [] }: { readonly isOwn?: boolean; readonly own?: readonly string[] } = {},
): Result<EmailHead & { to?: string; unread: boolean; mailing?: true; snippet: string }> {
  const head = shapeHead(message)
  if (!head.ok) return head
  const labels = fieldOf(message, 'labelIds')
  const isMine = isOwn || isOfOwn(labels) || isAmong(own, head.value.from)
  const [to] = isMine ? addressesIn(headersOf(recordOf(message, 'payload'), 'to')) : []
  return ok({
    ...head.value,
    ...(to !== undefined && { to }),
    unread: Array.isArray(labels) && labels.includes('UNREAD'),
    ...(isMailing(recordOf(message, 'payload')) && { mailing: true as const }),
    // Gmail escapes its snippets as HTML.
    snippet: cleanLine(decodeEntities(stringOf(message, 'snippet')), EMAIL_TEXT.snippet),
  })
}

function isAmong(own: readonly string[], address: string | undefined): boolean {
  return own.some((one) => one.toLowerCase() === address?.toLowerCase())
}

/** Sent or drafted by the owner, in whatever folder it was found. */
function isOfOwn(labels: unknown): boolean {
  return Array.isArray(labels) && (labels.includes('SENT') || labels.includes('DRAFT'))
}

/**
 * Prefers the plain part, as RFC 2046 §5.1.4 allows, because HTML can hide more. Falls back to HTML, since some senders leave
 * the plain part empty.
 */
export async function shapeRead(
  message: JsonRecord,
  htmlText: HtmlText,
  own: readonly string[] = [],
  {
    zone = createZone('UTC'),
    invited = [],
  }: { readonly zone?: Zone; readonly invited?: readonly InvitedEvent[] } = {},
): Promise<Result<EmailHead & object>> {
  const head = shapeHead(message)
  if (!head.ok) return head
  const payload = recordOf(message, 'payload')
  const parts = partsOf(payload)
  const plain = textOfType(parts, 'text/plain') ?? ''
  const whole = plain.trim() === '' ? await fromHtml(parts, htmlText) : plain
  const body = cleanText(whole, EMAIL_TEXT.body)
  const to = addressesIn(headersOf(payload, 'to'))
  const cc = addressesIn(headersOf(payload, 'cc'))
  const html = textOfType(parts, 'text/html') ?? ''
  const { subject, date } = head.value
  const appointments = appointmentsOf({ invited, html, body, subject, date, zone })
  const labels = fieldOf(message, 'labelIds')
  const isMine = isOfOwn(labels) || isAmong(own, head.value.from)
  return ok({
    ...head.value,
    ...(isMine && { mine: true }),
    to: to.slice(0, MAX_RECIPIENTS),
    cc: cc.slice(0, MAX_RECIPIENTS),
    others: othersIn([...to, ...cc], [...own, head.value.from ?? '']).slice(0, MAX_RECIPIENTS),
    body,
    truncated: whole.length > EMAIL_TEXT.body || fieldOf(message, 'truncated') === true,
    ...(parts.some(isInvitation) && { invites: true }),
    files: filesIn(parts),
    links: linksIn(body),
    dates: datesIn(body, head.value, zone),
    ...(appointments.length > 0 && { appointments }),
    requests: requestsIn(`${head.value.subject}\n${body}`),
  })
}

/** Dates with a year anywhere; other dates only in the sender's own words, because quoted text is relative to another day. */
function datesIn(body: string, { subject, date }: EmailHead, zone: Zone): readonly string[] {
  const written = writtenDates(body, MAX_DATES)
  const own = sentencesIn(ownWords(body, subject))
  const mentioned = mentionedDates(own, { now: Date.parse(date), zone }, MAX_DATES)
  return [...new Set([...written, ...mentioned])].slice(0, MAX_DATES)
}

/** One of the owner's own mails: its first recipient, and its whole text. */
export async function shapeSent(
  message: JsonRecord,
  htmlText: HtmlText,
): Promise<Result<{ readonly head: { subject: string; date: string }; readonly text: string }>> {
  const shaped = shapeHead(message)
  if (!shaped.ok) return shaped
  const { id, subject, date } = shaped.value
  const payload = recordOf(message, 'payload')
  const [to] = mailboxesIn(headersOf(payload, 'to'))
  const head = {
    ...{ id, subject, date, toName: cleanLine(to?.name ?? '', EMAIL_TEXT.name) },
    ...(to !== undefined && { to: to.address }),
  }
  return ok({ head, text: await wholeTextOf(message, htmlText) })
}

/** The text of a mail, from the plain part if there is one. */
export async function wholeTextOf(message: JsonRecord, htmlText: HtmlText): Promise<string> {
  const parts = partsOf(recordOf(message, 'payload'))
  const plain = textOfType(parts, 'text/plain') ?? ''
  return cleanText(plain.trim() === '' ? await fromHtml(parts, htmlText) : plain, EMAIL_TEXT.body)
}

/** Each address once, without the given ones. */
function othersIn(addresses: readonly string[], without: readonly string[]): readonly string[] {
  const known = new Set(without.map((one) => one.toLowerCase()))
  return addresses.filter((one) => {
    const isNew = !known.has(one.toLowerCase())
    known.add(one.toLowerCase())
    return isNew
  })
}

function shapeHead(message: JsonRecord): Result<EmailHead> {
  const payload = recordOf(message, 'payload')
  const id = idOf(message, 'id')
  // When the service received it. The Date header is only the sender's claim.
  const date =
    toInstant(Number.parseInt(stringOf(message, 'internalDate'), 10)) ?? toDate(headerOf(payload, 'date'))
  if (id === null || date === null) return err('tool_result_invalid', { rule: 'message' })
  const from = soleMailbox(headersOf(payload, 'from'))
  const replyTo = replyToOf(payload)
  return ok({
    id,
    ...(from.address === null ? { senderUnclear: true as const } : { from: from.address }),
    ...(replyTo !== null && { replyTo }),
    fromName: cleanLine(from.name, EMAIL_TEXT.name),
    subject: cleanLine(headerOf(payload, 'subject'), EMAIL_TEXT.subject),
    date,
    hasAttachments: partsOf(payload).some(isAttachment),
  })
}

/** Names are the sender's, so they are cleaned; no file is opened. */
function filesIn(parts: readonly JsonRecord[]): readonly string[] {
  return parts
    .filter(isAttachment)
    .slice(0, MAX_FILES)
    .map((part) => cleanLine(decodeWords(fileNameIn(part)), EMAIL_TEXT.file))
}

/** The sender's name for it; an unnamed invitation gets the usual name. */
export function fileNameIn(part: JsonRecord): string {
  return stringOf(part, 'filename') || (isInvitation(part) ? INVITATION_NAME : '')
}

/** An unreadable body becomes an empty one, so that the rest of the mail can be used (J-12). */
async function fromHtml(parts: readonly JsonRecord[], htmlText: HtmlText): Promise<string> {
  const html = textOfType(parts, 'text/html')
  if (html === null) return ''
  try {
    return await htmlText(html)
  } catch {
    return ''
  }
}
