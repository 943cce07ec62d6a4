/** Parses a tap on a button from a Telegram update. Must not decide anything. Called by the place that holds the bot's token. */
import * as z from 'zod/mini'
import { isForwarded } from './update.ts'

/** Longest answer to a tap, in UTF-16 units. */
export const MOST_TOAST = 200

/** A tap on a button, as Telegram authenticated it. */
export interface Tap {
  readonly query: string
  readonly user: number
  readonly chat: number
  readonly message: number
  readonly data: string
  /** False when the message with the button is a copy of the bot's message. */
  readonly original: boolean
}

const QUERY = z.object({
  callback_query: z.object({
    id: z.string().check(z.maxLength(64)),
    from: z.object({ id: z.int() }),
    data: z.string().check(z.maxLength(64)),
    message: z.looseObject({ message_id: z.int(), chat: z.object({ id: z.int() }) }),
  }),
})

/** Null for every other update. */
export function tapIn(input: unknown): Tap | null {
  const parsed = QUERY.safeParse(input)
  if (!parsed.success) return null
  const { id, from, data, message } = parsed.data.callback_query
  return {
    ...{ query: id, user: from.id, data },
    ...{ chat: message.chat.id, message: message.message_id },
    original: !isForwarded(message),
  }
}
