/**
 * Parses Telegram updates: the fields of the Bot API in use (tests check them against grammY's types). Other keys are dropped.
 * Must not interpret an update, nor decide on a tap. Called by event.ts and by the lines.
 */
import * as z from 'zod/mini'
import { isPlainRecord } from '../../../kernel/flow/json.ts'

const id = z.int()
const text = z.optional(z.string())
const file = {
  file_id: z.string(),
  file_size: z.optional(z.number()),
  mime_type: z.optional(z.string()),
  file_name: z.optional(z.string()),
}
const FILE = z.object(file)
const present = z.optional(z.unknown())

const USER = z.object({ id, is_bot: z.boolean(), first_name: text, last_name: text, username: text })
const CHAT = z.object({ id, type: z.enum(['private', 'group', 'supergroup', 'channel']) })

/** The answered message, or a quotation: not the sender's own words. */
const QUOTED = z.object({ message_id: z.optional(id), from: z.optional(USER), text, caption: text })

const MESSAGE_KEYS = z.object({
  message_id: id,
  forwarded: z.boolean(),
  from: z.optional(USER),
  sender_chat: z.optional(z.object({ id })),
  chat: CHAT,
  text,
  caption: text,
  forward_origin: z.optional(z.object({ type: z.string(), sender_user: z.optional(USER) })),
  forward_from: z.optional(USER),
  via_bot: z.optional(USER),
  reply_to_message: z.optional(QUOTED),
  quote: z.optional(z.object({ text: z.string() })),
  photo: z.optional(z.array(FILE)),
  document: z.optional(FILE),
  voice: z.optional(FILE),
  audio: z.optional(FILE),
  video: z.optional(FILE),
  video_note: z.optional(FILE),
  animation: z.optional(FILE),
  sticker: z.optional(FILE),
  // Neither file nor text: only its presence is known.
  location: present,
  venue: present,
  contact: present,
  poll: present,
  dice: present,
  story: present,
  checklist: present,
  paid_media: present,
})

/** Adds whether the message was forwarded, by the presence of keys alone: their values may be anything. */
const MESSAGE = z.pipe(
  z.transform((input: unknown) =>
    isPlainRecord(input) ? { ...input, forwarded: isForwarded(input) } : input,
  ),
  MESSAGE_KEYS,
)

const UPDATE = z.object({
  update_id: id,
  message: z.optional(MESSAGE),
  edited_message: z.optional(MESSAGE),
})

export type TelegramFile = z.infer<typeof FILE>
export type TelegramMessage = z.infer<typeof MESSAGE>
export type TelegramUpdate = z.infer<typeof UPDATE>

/** Every version of the Bot API marks a forwarded message by such a key: `forward_origin`, formerly `forward_date` and others. */
export function isForwarded(message: object): boolean {
  return Object.keys(message).some((key) => key.includes('forward'))
}

/** Null for an invalid update. */
export function readUpdate(input: unknown): TelegramUpdate | null {
  const parsed = UPDATE.safeParse(input)
  return parsed.success ? parsed.data : null
}

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
