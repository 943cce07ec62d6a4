/**
 * Connection state of one of home's bots: whether it receives messages, and whether its token was accepted by the last call. A
 * revoked token shows at the first refused call, which may be a sent answer long before the next poll. Must not send a request
 * itself. Held by the packages' chats, set by their lines.
 */
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'

export interface BotLine {
  /** True while the owner's messages do not arrive, until somebody acts. */
  deaf: boolean
  /** Called with the result of each API call of the bot; set by its line. */
  fared: (answer: Result<unknown>) => void
}

export function createBotLine(): BotLine {
  return { deaf: false, fared: () => undefined }
}

/**
 * Returns the token's refusal by the last conclusive call, null when it was accepted. `changed` is called whenever that value
 * changes.
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
