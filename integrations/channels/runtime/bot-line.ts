/**
 * Whether a bot at home hears its owner, and how its service took the token of each call: a token that was taken back is known by the first
 * call that it refuses, which may be an answer long before the next question for messages. Must not ask anything itself. Held by
 * the chats of the packages, set by their lines.
 */
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'

export interface BotLine {
  /** What the owner says there comes to nobody before somebody does something about it. */
  deaf: boolean
  /** How its service took one call of the bot's; set by whoever listens. */
  fared: (answer: Result<unknown>) => void
}

export function createBotLine(): BotLine {
  return { deaf: false, fared: () => undefined }
}

/**
 * The refusal of the token by the last call that says something of it, null once one was accepted. `changed`: at each time that this is
 * another.
 */
export function watchToken(line: BotLine, changed: () => void): () => Refusal | null {
  let refused: Refusal | null = null
  line.fared = (answer) => {
    if (!answer.ok && answer.reason.code !== 'credential_rejected') return
    const now = answer.ok ? null : answer.reason
    if (now?.code === refused?.code) return
    refused = now
    changed()
  }
  return () => refused
}
