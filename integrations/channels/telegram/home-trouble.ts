/**
 * Why home receives nothing from its Telegram bot, in a sentence for the owner (H-03). Must not quote Telegram's answer. Called by
 * home-line.ts and by `pfar channel connect`.
 */
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'

/** The bot's updates are delivered elsewhere: a retry will not help. */
export function isConflict({ code, facts }: Refusal): boolean {
  return code === 'remote_rejected' && (facts['why'] === 'webhook' || facts['why'] === 'polled')
}

export function troubleWords(trouble: Refusal): string {
  if (!isConflict(trouble)) return wordsFor(trouble.code)
  return trouble.facts['why'] === 'webhook'
    ? 'That bot has a webhook, and a bot has a webhook or is asked, never both. Your line at the edge and your private line each need a bot of their own.'
    : 'Another program asks that bot for its messages, and only one can. If it is your home: stop home first.'
}
