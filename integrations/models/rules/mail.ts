/**
 * Mails in words: a numbered list, unread first, and one mail read out. What a sender wrote stays in its line or
 * its quotation. Must not follow or judge it. Called by answer.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { type Clock, moment } from './clock.ts'
import { isTrue, itemsOf, textOf } from './content.ts'
import { shownOrder } from './listing.ts'
import { counted, line, quote } from './text.ts'
import { MAIL } from './words.ts'

const NAME_MAX = 60

/** `person`: only mails that mention him as sender; `unreadOnly`: what was asked for. */
export interface Asked {
  readonly person: string
  readonly unreadOnly: boolean
}

export function mailList(content: Json, clock: Clock, asked: Asked): string {
  const mails = itemsOf(content, 'emails')
  if (mails.length === 0) return asked.unreadOnly ? MAIL.noneNew : MAIL.none
  const order = shownOrder(mails.map((mail) => isTrue(mail, 'unread')))
  const rows = order.map((index, place) => ({ mail: mails[index] ?? null, place: place + 1 }))
  const shown = asked.person === '' ? rows : rows.filter(({ mail }) => isFrom(mail, asked.person))
  if (shown.length === 0) return MAIL.noneFrom(line(asked.person, NAME_MAX))
  const unread = shown.filter(({ mail }) => isTrue(mail, 'unread')).length
  const head = `${counted(shown.length, 'mail')}, ${unread === 0 ? 'none' : unread} unread:`
  const more = isTrue(content, 'more') ? [MAIL.more] : []
  return [head, ...shown.map(({ mail, place }) => `${place}. ${summary(mail, clock)}`), ...more].join('\n')
}

export function mailRead(content: Json, clock: Clock): string {
  const address = line(textOf(content, 'from'), NAME_MAX)
  const name = senderOf(content)
  const { text, left } = quote(textOf(content, 'body'))
  return [
    `From: ${name}${address === '' || address === name ? '' : ` (${address})`}`,
    `Subject: ${subjectOf(content)}`,
    `Sent: ${sentAt(content, clock)}`,
    '',
    text === '>' ? MAIL.noBody : text,
    ...(left > 0 ? ['', `(${counted(left, 'more character')} not shown.)`] : []),
    ...(isTrue(content, 'truncated') ? ['', MAIL.fetchedPart] : []),
    ...(isTrue(content, 'hasAttachments') ? ['', MAIL.attachments] : []),
  ].join('\n')
}

function summary(mail: Json, clock: Clock): string {
  const marks = [
    sentAt(mail, clock),
    ...(isTrue(mail, 'unread') ? ['unread'] : []),
    ...(isTrue(mail, 'hasAttachments') ? ['with attachments'] : []),
  ]
  return `${senderOf(mail)}: ${subjectOf(mail)} (${marks.join(', ')})`
}

/** A name without an address has the mark behind it, which no length of the name can push away. */
function senderOf(mail: Json): string {
  const name = line(textOf(mail, 'fromName'), NAME_MAX) || line(textOf(mail, 'from'), NAME_MAX)
  if (!isTrue(mail, 'senderUnclear')) return name || MAIL.noSender
  return name === '' ? MAIL.unclearSender : `${name} ${MAIL.unclearSender}`
}

function subjectOf(mail: Json): string {
  return line(textOf(mail, 'subject')) || MAIL.noSubject
}

function sentAt(mail: Json, clock: Clock): string {
  const wall = clock.read(textOf(mail, 'date'))
  return wall === null ? 'no date' : moment(wall, clock.now)
}

function isFrom(mail: Json, person: string): boolean {
  const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const sender = fold(`${textOf(mail, 'fromName')} ${textOf(mail, 'from')}`)
  return fold(person)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => sender.includes(word))
}
