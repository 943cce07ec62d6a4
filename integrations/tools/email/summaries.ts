/**
 * Summaries over many mails: the owner's recipients, the owner's promises, and the requests in unread mail. Reads only; fixed
 * rules over headers and texts. Must not judge or file anything. Called by run.ts.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { createZone } from '../../dates/zone.ts'
import type { HtmlText } from '../../extractors/page.ts'
import { hasName, type JsonRecord, recordOf } from '../reading.ts'
import { DIGESTED } from './actions/digest-actions.ts'
import { HEARD } from './actions/heard-action.ts'
import { PROMISED } from './actions/promise-actions.ts'
import type { Mailbox, MailQuery } from './mailbox-port.ts'
import { SENT_LOOKED_AT } from './manifest.ts'
import { type Answers, answersIn, isAnswered } from './message/answered.ts'
import { askedIn, isOfNobody } from './message/asking.ts'
import { partsOfName } from './message/mailbox.ts'
import { promisesIn } from './message/promises.ts'
import { peopleOf } from './message/recipients.ts'
import { shapeListed, shapeSent, wholeTextOf } from './shape.ts'

interface Reading {
  readonly htmlText: HtmlText
  /** Time zone of where the owner is, IANA name; absent: UTC. */
  readonly timezone?: string
}

/** Uses headers of sent mail only; text cannot make anybody a recipient. */
export async function recipients(mailbox: Mailbox): Promise<ToolOutcome> {
  const found = await mailbox.find({ folder: 'sent', count: SENT_LOOKED_AT })
  return found.ok ? { ok: true, output: { people: [...peopleOf(found.value.messages)] } } : found
}

/**
 * Unread mail of the inbox: first those that ask something and have no answer of the owner yet; within both groups in order of
 * arrival.
 */
export async function digest(
  mailbox: Mailbox,
  { asking, since, before }: ToolCall['args'],
  { htmlText }: Reading,
): Promise<ToolOutcome> {
  const found = await mailbox.find({
    ...{ folder: 'inbox', unread: true, whole: true, count: DIGESTED },
    ...(typeof since === 'string' && { since }),
    ...(typeof before === 'string' && { before }),
  })
  if (!found.ok) return found
  const looked: { readonly head: object; readonly payload: JsonRecord; readonly text: string | null }[] = []
  for (const message of found.value.messages) {
    const shaped = shapeListed(message)
    if (!shaped.ok) return shaped
    const { snippet: _, ...head } = shaped.value
    if (!head.unread) continue
    const payload = recordOf(message, 'payload')
    const text = isOfNobody(payload, head.from)
      ? null
      : askedIn({ text: await wholeTextOf(message, htmlText), subject: head.subject })
    looked.push({ head, payload, text })
  }
  const answers = looked.some(({ text }) => text !== null) ? await answersOf(mailbox) : []
  const emails = looked.map(({ head, payload, text }) => {
    const asks = text !== null && !isAnswered(payload, answers)
    return { ...head, asks, ...(asks && { sentence: text }) }
  })
  const first = emails.filter(({ asks }) => asks)
  const shown = asking === true ? first : [...first, ...emails.filter(({ asks }) => !asks)]
  return { ok: true, output: { emails: shown, unread: emails.length, more: found.value.more } }
}

/** Answers in the owner's newest sent mail. If that cannot be read, every mail counts as unanswered. */
async function answersOf(mailbox: Mailbox): Promise<Answers> {
  const sent = await mailbox.find({ folder: 'sent', count: SENT_LOOKED_AT })
  return sent.ok ? answersIn(sent.value.messages) : []
}

/**
 * Mails from somebody since the owner last wrote to them, whether or not they refer to it; if the owner never did, their newest
 * mail. Only the owner's sent mail determines when that was.
 */
export async function heard(mailbox: Mailbox, { from }: ToolCall['args']): Promise<ToolOutcome> {
  const who = typeof from === 'string' ? from.trim() : ''
  // Punctuation alone is no name, and an empty name would match everybody.
  if (partsOfName(who).length === 0) return { ok: true, output: { emails: [], more: false } }
  const sent = await mailbox.find({ folder: 'sent', to: who, count: HEARD.sent })
  if (!sent.ok) return sent
  const mine = sent.value.messages.flatMap((message) => {
    const shaped = shapeListed(message)
    return shaped.ok ? [shaped.value] : []
  })
  const [last] = mine.toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date))
  const since = last === undefined ? {} : { since: last.date }
  const found = await mailbox.find({ folder: 'inbox', from: who, count: HEARD.most, ...since })
  if (!found.ok) return found
  const emails = found.value.messages.flatMap((message) => {
    const shaped = shapeListed(message)
    if (!shaped.ok) return []
    const { snippet: _, to: __, ...head } = shaped.value
    // A server may compare days only.
    const isSince = last === undefined || Date.parse(head.date) > Date.parse(last.date)
    return isSince && hasName(`${head.fromName} ${head.from ?? ''}`, who) ? [head] : []
  })
  const wrote = last === undefined ? {} : { wrote: last.date, about: last.subject }
  return { ok: true, output: { emails, ...wrote, more: found.value.more } }
}

/** Uses the owner's sent mail only: received mail does not count, whoever it claims to be from. */
export async function promises(
  mailbox: Mailbox,
  { args, capability }: ToolCall,
  { htmlText, timezone = 'UTC' }: Reading,
): Promise<ToolOutcome> {
  const since = new Date(capability.claims.issuedAt - PROMISED.days * 86_400_000).toISOString()
  const to = typeof args['to'] === 'string' && args['to'].trim() !== '' ? { to: args['to'].trim() } : {}
  const query: MailQuery = { folder: 'sent', since, whole: true, count: PROMISED.mails, ...to }
  const found = await mailbox.find(query)
  if (!found.ok) return found
  const zone = createZone(timezone)
  const emails: object[] = []
  for (const message of found.value.messages) {
    const sent = await shapeSent(message, htmlText)
    if (!sent.ok) return sent
    const { head, text } = sent.value
    for (const one of promisesIn({ text, subject: head.subject }, { sent: Date.parse(head.date), zone }))
      emails.push({ ...head, ...one })
  }
  const more = found.value.more || emails.length > PROMISED.most
  return { ok: true, output: { emails: emails.slice(0, PROMISED.most), more } }
}
