/**
 * What was sent of each delivery, message by message, so that none is said twice. Called by sender.ts and document.ts; kept by the
 * place that holds the bot's token.
 */
import * as z from 'zod/mini'

/** One message that stands in a chat, and a digest of what it says. */
export interface SentPart {
  readonly message: number
  readonly said: string
}

/** What was sent of each delivery, durable at once; of old ones it may forget. */
export interface SentShelf {
  load(delivery: string): readonly SentPart[]
  save(delivery: string, parts: readonly SentPart[]): void
}

/** What Telegram answers to a message that it took. */
export const MESSAGE = z.object({ message_id: z.int() })
