/**
 * Converts a Telegram update to a kernel event (H-01, H-03): authenticated sender and chat; the sender's own words apart from
 * forwarded, quoted or answered ones (C-09); files and other content by reference, not fetched (B-27). Must not interpret the
 * words, nor decide who may speak. Called by the place that holds the bot's token.
 */

import { digestOf } from '../../../kernel/flow/digest.ts'
import type { Place } from '../../../kernel/flow/place.ts'
import { type Attachment, EVENT_BOUNDS, type InboundEvent } from '../../../kernel/task/event.ts'
import { MOST_PICTURE, MOST_PICTURE_FORWARDED } from '../../../kernel/task/picture.ts'
import { TELEGRAM } from './channel.ts'
import { readUpdate, type TelegramFile, type TelegramMessage } from './update.ts'

/** Why an update is not converted to an event. */
export type Ignored = 'malformed' | 'another_kind' | 'no_sender' | 'from_a_bot' | 'a_channel' | 'nothing_said'

export type Received =
  | { readonly ok: true; readonly event: InboundEvent; readonly chat: number; readonly echoed?: true }
  /** `echoed`: the update may have held text of the bot itself. */
  | { readonly ok: false; readonly ignored: Ignored; readonly echoed?: true }

export interface Line {
  /** Telegram's id of the owner. */
  readonly owner: number
  /** Name of the owner's private chat with this bot, from which its sink follows: `open`. */
  readonly name: string
  /** The bot's own id: message ids are unique per bot. */
  readonly bot: string
  readonly place: Place
  /**
   * What to do with the bot's own text that comes back in the owner's chat, quoted, answered or forwarded. `drop`: none of its text
   * and files is read, because home may have replied there by the owner's acknowledgement; a reply still names its message.
   */
  readonly echo?: 'keep' | 'drop'
}

/** Hex digits of the content's hash in an event's id: an edited message is a new event, a repeated delivery is not. */
const SAID_DIGITS = 16

/** Each has at most two UTF-16 units, which keeps a name within the event's limit. */
const HANDLE_CHARACTERS = 120

/** `now`: epoch milliseconds, by the receiving place's clock. */
export function eventOf(input: unknown, line: Line, now: number): Received {
  const update = readUpdate(input)
  if (update === null) return { ok: false, ignored: 'malformed' }
  const message = update.message ?? update.edited_message
  if (message === undefined) return { ok: false, ignored: 'another_kind' }
  const sender = senderOf(message)
  if (typeof sender === 'string') return { ok: false, ignored: sender }
  const group = message.chat.type !== 'private'
  const isOwner = !group && message.chat.id === line.owner && sender === line.owner
  const echo = isOwner && line.echo === 'drop' ? echoIn(message, Number(line.bot)) : NO_ECHO
  const echoed = echo.sentOn || echo.answered
  const said = saidIn(message, echo, line.place)
  const { own, quoted } = said
  const attachments = [...said.attachments, ...(isOwner ? othersIn(message) : [])]
  if (own.trim() === '' && quoted.length === 0 && attachments.length === 0)
    return { ok: false, ignored: 'nothing_said', ...(echoed && { echoed: true as const }) }
  const event: InboundEvent = {
    id: `${line.bot}.${message.message_id}.${digestOf([own, quoted]).slice(0, SAID_DIGITS)}`,
    at: now,
    source: {
      adapter: TELEGRAM,
      user: String(sender),
      chat: isOwner ? line.name : String(message.chat.id),
      group,
      ...handleOf(message.from),
    },
    kind: 'message',
    text: own,
    quoted,
    attachments,
    replyTo: echo.answered ? String(message.reply_to_message?.message_id ?? 0) : null,
    message: String(message.message_id),
    ...(update.message === undefined && { edits: `${line.bot}.${message.message_id}` }),
    place: line.place,
  }
  return { ok: true, event, chat: message.chat.id, ...(echoed && { echoed: true as const }) }
}

/** The sender's display name, which the sender can change at will; cut to the event's limit. */
function handleOf(from: TelegramMessage['from']): { readonly handle?: string } {
  const { first_name, last_name, username } = from ?? {}
  const shown = [first_name, last_name, username === undefined ? undefined : `@${username}`]
  const handle = shown.filter((part) => part !== undefined && part !== '').join(' ')
  return handle === '' ? {} : { handle: [...handle].slice(0, HANDLE_CHARACTERS).join('') }
}

/** The sender, if it is a person; messages of a bot, a channel or an anonymous group admin are no requests. */
function senderOf({ from, sender_chat, chat }: TelegramMessage): number | Ignored {
  if (chat.type === 'channel' || sender_chat !== undefined) return 'a_channel'
  if (from === undefined) return 'no_sender'
  return from.is_bot ? 'from_a_bot' : from.id
}

interface Said {
  readonly own: string
  readonly quoted: readonly string[]
  readonly attachments: readonly Attachment[]
}

/** Parts of a message that may be the bot's own text. */
interface Echo {
  /** The message itself is one of the bot's, forwarded. */
  readonly sentOn: boolean
  /** The answered or quoted message is the bot's, or its author is unknown. */
  readonly answered: boolean
}

const NO_ECHO: Echo = { sentOn: false, answered: false }

/** A quotation is known not to be the bot's only if a person wrote it: one from another chat names no author. */
function echoIn(message: TelegramMessage, bot: number): Echo {
  const { via_bot, reply_to_message, quote } = message
  const isPersons = reply_to_message?.from?.is_bot === false
  return {
    sentOn: maySendOn(message, bot) || via_bot?.id === bot,
    answered: (reply_to_message !== undefined || quote !== undefined) && !isPersons,
  }
}

/** Older versions of the Bot API name a person or bot in a key of its own, and other authors not at all. */
function maySendOn({ forwarded, forward_origin, forward_from }: TelegramMessage, bot: number): boolean {
  if (forward_origin !== undefined) return forward_origin.sender_user?.id === bot
  return forwarded && (forward_from === undefined || forward_from.id === bot)
}

function saidIn(message: TelegramMessage, { sentOn, answered: isEcho }: Echo, place: Place): Said {
  if (sentOn) return { own: '', quoted: [], attachments: [] }
  const words = message.text ?? message.caption ?? ''
  // Somebody else's words, whoever sends them: a forwarded message, or one made by an inline bot.
  const isOwn = !message.forwarded && message.via_bot === undefined
  const answered = isEcho
    ? undefined
    : (message.quote?.text ?? message.reply_to_message?.text ?? message.reply_to_message?.caption)
  const quoted = [isOwn ? undefined : words, answered].filter(
    (part) => part !== undefined && part.trim() !== '',
  )
  return {
    own: isOwn ? withoutBotName(words) : '',
    quoted: quoted as readonly string[],
    attachments: attachmentsOf(message, isOwn, place),
  }
}

/** In a group a command carries the name of its bot. */
function withoutBotName(words: string): string {
  return words.replace(/^(\/[a-z0-9_]{1,32})@[a-z0-9_]{1,32}/i, '$1')
}

const KINDS = [
  ['document', 'document', 'application/octet-stream'],
  ['voice', 'voice', 'audio/ogg'],
  ['audio', 'audio', 'audio/mpeg'],
  ['video', 'video', 'video/mp4'],
  ['video_note', 'video', 'video/mp4'],
  ['sticker', 'sticker', 'image/webp'],
] as const

function attachmentsOf(message: TelegramMessage, isOwn: boolean, place: Place): readonly Attachment[] {
  const photo = photoIn(message.photo, place)
  const files = KINDS.flatMap(([key, kind, mediaType]) => {
    const file = message[key]
    const own = key === 'voice' && isOwn && { spoken: true as const }
    // An animation is also sent as a document.
    const shown = key === 'document' && message.animation !== undefined ? 'video' : kind
    return file === undefined ? [] : [{ ...attachmentOf(file, key, { kind: shown, mediaType }), ...own }]
  })
  if (photo === undefined) return files
  return [attachmentOf(photo, 'photo', { kind: 'photo', mediaType: 'image/jpeg' }), ...files]
}

/** Telegram sends a picture in several sizes, the largest last: takes the largest that may be fetched, else the largest. */
function photoIn(sizes: TelegramMessage['photo'], place: Place): TelegramFile | undefined {
  const most = place === 'edge' ? MOST_PICTURE_FORWARDED : MOST_PICTURE
  return sizes?.findLast(({ file_size = 0 }) => file_size <= most) ?? sizes?.at(-1)
}

function attachmentOf(
  file: TelegramFile,
  key: string,
  { kind, mediaType }: Pick<Attachment, 'kind' | 'mediaType'>,
): Attachment {
  const told = file.mime_type?.toLowerCase() ?? ''
  return {
    kind,
    name: (file.file_name ?? key).slice(0, EVENT_BOUNDS.name),
    mediaType: /^[a-z0-9.+-]{1,100}\/[a-z0-9.+-]{1,100}$/.test(told) ? told : mediaType,
    size: file.file_size ?? 0,
    ref: file.file_id,
  }
}

/** Other content, by the first key present: a venue also has a location. */
const OTHERS = [
  ['venue', 'place'],
  ['location', 'place'],
  ['contact', 'contact'],
  ['poll', 'poll'],
  ['dice', 'other'],
  ['story', 'other'],
  ['checklist', 'other'],
  ['paid_media', 'other'],
] as const

/** Reported so that the owner learns that it was not read; ignored from anybody else. */
function othersIn(message: TelegramMessage): readonly Attachment[] {
  const found = OTHERS.find(([key]) => message[key] !== undefined)
  if (found === undefined) return []
  const [key, kind] = found
  return [{ kind, name: key, mediaType: 'application/octet-stream', size: 0, ref: key }]
}
