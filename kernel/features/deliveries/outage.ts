/**
 * Words for the owner about a chat that cannot be reached (F-18): which chat, when the request was made, what happens
 * next. Never the content, since another chat may not be cleared for it. Pure. Called by resend.ts, own-commands.ts
 * and, at home, unsent-news.ts.
 */
import type { ReasonCode } from '../../reasons.ts'
import { type Chats, chatTitleOf } from '../../tool/channel.ts'
import { localMoment } from '../../wording/output.ts'

/** The owner's name for the chat of this sink. */
export function chatTitle(sink: string, chats: Chats): string {
  const [, adapter = ''] = sink.split(':')
  const own: Readonly<Record<string, string>> = { terminal: 'the terminal', openline: 'the open line' }
  return chatTitleOf(chats, adapter) ?? own[adapter] ?? adapter
}

export interface Unsent {
  readonly sink: string
  readonly kind: 'answer' | 'card' | 'notice'
  /** Epoch milliseconds. */
  readonly asked: number
}

/** What the words are formatted with. */
export interface Told {
  readonly timezone: string
  readonly chats: Chats
}

function what({ kind, asked }: Unsent, timezone: string): string {
  const at = localMoment(asked, timezone)
  if (kind === 'answer') return `The answer that you asked for at ${at}`
  return kind === 'card' ? `A question of ${at}` : `A notice of ${at}`
}

export function waitsWords(unsent: Unsent, { timezone, chats }: Told): string {
  const chat = chatTitle(unsent.sink, chats)
  return `${chat} cannot be reached. ${what(unsent, timezone)} waits for your chat there, and later ones wait behind it, in order. I keep trying for 24 hours; \`pfar status\` lists what waits.`
}

/** Most deliveries named in one answer: a line for each of two hundred would push everything else out of the chat. */
const MOST_NAMED = 5

/** One line per delivery, oldest first, for `/status`. */
export function waitingLines(unsent: readonly Unsent[], { timezone, chats }: Told): readonly string[] {
  const named = unsent
    .slice(0, MOST_NAMED)
    .map((one) => `${what(one, timezone)} waits for your chat at ${chatTitle(one.sink, chats)}.`)
  const more = unsent.length - named.length
  return more === 0 ? named : [...named, `And ${more} more (\`pfar status\` lists them all).`]
}

const WHY: Partial<Readonly<Record<ReasonCode, string>>> = Object.freeze({
  remote_rejected: 'that chat does not take my messages any more; perhaps it was blocked or deleted',
  credential_rejected: 'my access there is not accepted any more',
  credential_missing: 'I have no access there any more',
  sink_unknown: 'that chat is not connected any more',
  delivery_overdue: 'it could not be reached for 24 hours',
  outbox_full: 'too much waits for it already',
})

/** The same at home, about the edge's chat: `unsent.sink` is a sink of the edge. */
export function waitsAtEdgeWords(unsent: Unsent, { timezone, chats }: Told): string {
  const chat = chatTitle(unsent.sink, chats)
  return `The edge cannot reach ${chat}. ${what(unsent, timezone)} waits for your chat with the edge there, and later ones wait behind it, in order. It keeps trying for 24 hours; \`pfar status\` lists what waits.`
}

export function lostAtEdgeWords(unsent: Unsent, code: ReasonCode, { timezone, chats }: Told): string {
  return `${what(unsent, timezone)} did not get into your chat with the edge at ${chatTitle(unsent.sink, chats)}: ${whyOf(code)}. Please ask again; the open line says so of each.`
}

export function lostWords(unsent: Unsent, code: ReasonCode, { timezone, chats }: Told): string {
  return `${what(unsent, timezone)} did not get into your chat at ${chatTitle(unsent.sink, chats)}: ${whyOf(code)}. Please ask again.`
}

function whyOf(code: ReasonCode): string {
  return WHY[code] ?? 'it was refused there'
}

/** Sent to the chat once it can be reached again, about everything that was given up. */
export const LAST_WORDS =
  'For some time I could not reach this chat, and not everything that was meant for it could be kept. If an answer is missing, please ask again.'
