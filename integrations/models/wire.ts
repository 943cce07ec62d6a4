/**
 * A prompt as the request bodies of model providers hold it (P-21, P-22, P-26): for one that caches what is marked, system
 * blocks and message blocks with at most four marks; for the others one system text and one message, of the same bytes in
 * the same order, so that a provider that compares beginnings by itself finds them equal. Pure: sends nothing, and adds
 * nothing to the text. Called by the adapters of models.
 */
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'

/** `ephemeral` is the only kind there is; the provider keeps what it marks for five minutes after each use. */
const KEPT = Object.freeze({ type: 'ephemeral' } as const)

export interface WireBlock {
  readonly type: 'text'
  readonly text: string
  /** The provider keeps everything up to the end of this block. */
  readonly cache_control?: typeof KEPT
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
export function markedBody({ stable, session, history, now }: FinalPrompt): MarkedBody {
  const last = history.length - 1
  const earlier = history.map((text, at) => (at === 0 || at === last ? marked(text) : block(text)))
  return {
    system: [marked(stable), block(`\n\n${session}`)],
    messages: [{ role: 'user', content: [...earlier, block(now)] }],
  }
}

export function plainBody({ system, user }: FinalPrompt): PlainBody {
  return { system, user }
}

function block(text: string): WireBlock {
  return { type: 'text', text }
}

function marked(text: string): WireBlock {
  return { type: 'text', text, cache_control: KEPT }
}
