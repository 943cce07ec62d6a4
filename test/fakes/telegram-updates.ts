/** Updates as Telegram sends them, typed by Telegram's own types. For tests of the parser and of the edge's route. */
import type { Message, Update } from 'grammy/types'

export const OWNER_ID = 1001
export const SECRET = 'the-secret-that-telegram-sends-with-each-update'

let last = 7_000

/** A number that no other update or message of this run has. */
export function fresh(): number {
  last += 1
  return last
}

type Extra = Partial<Omit<Message, 'chat' | 'from'>>

/** A private message of a person. */
export function messageFrom(user: number, text: string | undefined, extra: Extra = {}): Message {
  return {
    message_id: fresh(),
    date: 1_700_000_000,
    chat: { id: user, type: 'private', first_name: 'X' },
    from: { id: user, is_bot: false, first_name: 'X' },
    ...(text !== undefined && { text }),
    ...extra,
  } as Message
}

export function update(message: Message, kind: 'message' | 'edited_message' = 'message'): Update {
  return { update_id: fresh(), [kind]: message } as Update
}
