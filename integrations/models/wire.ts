/**
 * Converts a prompt to request bodies (P-21, P-22, P-26): system and message blocks with at most four marks for providers that
 * cache marked prefixes; else one system text and one message, of the same bytes in the same order, so that automatic prefix
 * caching matches. Pure: sends nothing, adds no text. Called by the adapters of models.
 */
import type { PromptText } from '../../kernel/prompt/forwarded-prompt.ts'

/**
 * `ephemeral` is the only cache type. Parts that change with a version or an owner's file are cached for an hour after each
 * use, since people pause longer than five minutes during a day and the planner is called rarely. The newest line of a
 * conversation is replaced with the next line, so it gets five minutes, which are cheaper to write. Longer lifetimes must
 * precede shorter ones.
 */
const KEPT = Object.freeze({
  hour: Object.freeze({ type: 'ephemeral', ttl: '1h' } as const),
  minutes: Object.freeze({ type: 'ephemeral' } as const),
})
type Kept = (typeof KEPT)[keyof typeof KEPT]

interface WireBlock {
  readonly type: 'text'
  readonly text: string
  /** The provider caches everything up to the end of this block. */
  readonly cache_control?: Kept
}

interface MarkedBody {
  readonly system: readonly [WireBlock, WireBlock]
  readonly messages: readonly [{ readonly role: 'user'; readonly content: readonly WireBlock[] }]
}

/**
 * Marks three ends: of the first system block, which never changes; of the conversation's heading, after which everything
 * constant in the session stands; and of the newest line, so that the next call finds everything before its own line in the
 * cache.
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

interface PlainMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** `systemRole` is false for a model without one: the system text is then the first user message (N-18). */
export function plainMessages({ system, user }: PromptText, systemRole = true): [PlainMessage, PlainMessage] {
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
