/** What Telegram answers to a message that it took. Called by sender.ts and document.ts. */
import * as z from 'zod/mini'

export const MESSAGE = z.object({ message_id: z.int() })
