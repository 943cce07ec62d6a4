/**
 * Words for the owner about a chat that cannot be reached (F-18): which chat, when the request was made, what
 * happens next. Never the content, since another chat may not be cleared for it. Pure. Called by resend.ts,
 * status.ts and, at home, by sidecar/tunnel/edge-news.ts.
 */
import type { ReasonCode } from '../../reasons.ts'
import { type Chats, chatTitleOf } from '../../tool/channel.ts'
import { figuredMoment } from '../../wording/output.ts'
import { type Saying, tell } from '../../wording/words.ts'

/** The owner's name for the chat of this sink. */
export function chatTitle(sink: string, chats: Chats): string {
  const [, adapter = ''] = sink.split(':')
  if (adapter === 'terminal') return tell('deliveries.terminal')
  return chatTitleOf(chats, adapter) ?? (adapter === 'openline' ? tell('deliveries.open_line') : adapter)
}

export interface Unsent {
  readonly sink: string
  readonly kind: 'answer' | 'card' | 'notice'
  /** Epoch milliseconds. */
  readonly asked: number
}

/** Facts that the words are formatted with. */
export interface OutageFacts {
  readonly timezone: string
  readonly chats: Chats
}

function what({ kind, asked }: Unsent, timezone: string): string {
  return tell(`deliveries.${kind}`, { at: figuredMoment(asked, timezone) })
}

function about(saying: Saying, unsent: Unsent, { timezone, chats }: OutageFacts, why = ''): string {
  return tell(saying, { chat: chatTitle(unsent.sink, chats), what: what(unsent, timezone), why })
}

export function waitsWords(unsent: Unsent, facts: OutageFacts): string {
  return about('deliveries.waits', unsent, facts)
}

/** The same at home, about the edge's chat: `unsent.sink` is a sink of the edge. */
export function waitsAtEdgeWords(unsent: Unsent, facts: OutageFacts): string {
  return about('deliveries.waits_at_edge', unsent, facts)
}

export function lostWords(unsent: Unsent, code: ReasonCode, facts: OutageFacts): string {
  return about('deliveries.lost', unsent, facts, whyOf(code))
}

export function lostAtEdgeWords(unsent: Unsent, code: ReasonCode, facts: OutageFacts): string {
  return about('deliveries.lost_at_edge', unsent, facts, whyOf(code))
}

/** Maximum deliveries named in one answer: a line for each of two hundred would push everything else out of the chat. */
const MOST_NAMED = 5

/** One line per delivery, oldest first, for `/status`. */
export function waitingLines(unsent: readonly Unsent[], facts: OutageFacts): readonly string[] {
  const named = unsent.slice(0, MOST_NAMED).map((one) => about('deliveries.waits_line', one, facts))
  const count = unsent.length - named.length
  return count === 0 ? named : [...named, tell('deliveries.waits_more', { count })]
}

const WHY: Partial<Readonly<Record<ReasonCode, Saying>>> = Object.freeze({
  remote_rejected: 'deliveries.why_rejected',
  credential_rejected: 'deliveries.why_not_accepted',
  credential_missing: 'deliveries.why_no_access',
  sink_unknown: 'deliveries.why_not_connected',
  delivery_overdue: 'deliveries.why_overdue',
  outbox_full: 'deliveries.why_full',
})

function whyOf(code: ReasonCode): string {
  return tell(WHY[code] ?? 'deliveries.why_refused')
}
