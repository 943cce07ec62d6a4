/**
 * A prompt as the request bodies of model providers hold it (P-21, P-22, P-26): for one that caches what is marked, system
 * blocks and message blocks with at most four marks; for the others one system text and one message, of the same bytes in
 * the same order, so that a provider that compares beginnings by itself finds them equal. Pure: sends nothing, and adds
 * nothing to the text. Called by the adapters of models.
 */
import type { PromptText } from '../../kernel/prompt/carried.ts'

/**
 * `ephemeral` is the only kind there is. What changes with a version or an owner's file is kept for an hour after each use,
 * as somebody who talks with his assistant over a day pauses for longer than five minutes, and a planner is asked once in a
 * while; a conversation's last line, whose place the next one takes, for the five minutes that cost less to write.
 * Longer ones must stand before shorter ones.
 */
const KEPT = Object.freeze({
  hour: Object.freeze({ type: 'ephemeral', ttl: '1h' } as const),
  minutes: Object.freeze({ type: 'ephemeral' } as const),
})
type Kept = (typeof KEPT)[keyof typeof KEPT]

export interface WireBlock {
  readonly type: 'text'
  readonly text: string
  /** The provider keeps everything up to the end of this block. */
  readonly cache_control?: Kept
}

export interface MarkedBody {
  readonly system: readonly [WireBlock, WireBlock]
  readonly messages: readonly [{ readonly role: 'user'; readonly content: readonly WireBlock[] }]
}

export interface PlainBody {
  readonly system: string
  readonly user: string
}

/**
 * Marked: the end of what never changes (the first system block, and it alone); the heading of the conversation, behind
 * which lies all that the session keeps; and the conversation's newest line, whose predecessor the next call finds again.
 */
export function markedBody({ stable, session, history, now }: PromptText): MarkedBody {
  const last = history.length - 1
  const earlier = history.map((text, at) =>
    at === 0 ? marked(text, KEPT.hour) : at === last ? marked(text, KEPT.minutes) : block(text),
  )
  return {
    system: [marked(stable, KEPT.hour), block(`\n\n${session}`)],
    messages: [{ role: 'user', content: [...earlier, block(now)] }],
  }
}

export function plainBody({ system, user }: PromptText): PlainBody {
  return { system, user }
}

export interface PlainMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** `systemRole` false: for a model without one, whose first message of the user's is then the system text (N-18). */
export function plainMessages(prompt: PromptText, systemRole = true): [PlainMessage, PlainMessage] {
  const { system, user } = plainBody(prompt)
  return [
    { role: systemRole ? 'system' : 'user', content: system },
    { role: 'user', content: user },
  ]
}

function block(text: string): WireBlock {
  return { type: 'text', text }
}

function marked(text: string, kept: Kept): WireBlock {
  return { type: 'text', text, cache_control: kept }
}
