/**
 * The methods of the scripted Bot API over its chats: what they refuse is what the real ones refuse. Must not know of HTTP. Called
 * by telegram-server.ts.
 */
import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types'
import { checkEntities, checkMarkup, checkText } from './telegram-checks.ts'
import { checkDocument, getFile, type SentDocument, type SentFile } from './telegram-files.ts'
import { badRequest, Refusal } from './telegram-refusal.ts'

/** One message that stands in a chat of the scripted messenger. */
export interface StandingMessage {
  readonly chat: number
  readonly id: number
  readonly byBot: boolean
  readonly text: string
  readonly entities: readonly MessageEntity[]
  readonly markup: InlineKeyboardMarkup | undefined
  /** Of a file, whose caption is the text. */
  readonly document?: SentDocument
}

export interface Webhook {
  readonly url: string
  readonly secret: string
}

export interface QueuedUpdate {
  readonly update_id: number
}

export interface Messenger {
  readonly messages: Map<string, StandingMessage>
  /** Chats in which somebody has written to the bot. */
  readonly chats: Set<number>
  /** Taps that wait for their answer. */
  readonly queries: Set<string>
  /** Commands that are offered, by scope. */
  readonly menus: Map<string, Menu>
  readonly files: Map<string, SentFile>
  webhook: Webhook | null
  /** What `getWebhookInfo` tells besides. */
  fares: { readonly pending: number; readonly failed: { readonly at: number; readonly said: string } | null }
  lastId: number
  /** Telegram's id of the bot. */
  readonly bot: number
  /** What was not asked for yet, and what is not known to have come: forgotten by a question for what comes after it. */
  queue: readonly QueuedUpdate[]
}

export type Menu = readonly { readonly command: string; readonly description: string }[]

export type Arguments = Readonly<Record<string, unknown>>

export function createMessenger(bot: number): Messenger {
  const none = { webhook: null, lastId: 100, queue: [], fares: { pending: 0, failed: null } }
  const empty = { menus: new Map(), files: new Map() }
  return { messages: new Map(), chats: new Set(), queries: new Set(), bot, ...empty, ...none }
}

export const placeOf = (chat: number, id: number): string => `${chat}:${id}`

const ACTIONS = ['typing', 'upload_photo', 'upload_document', 'upload_video', 'record_voice', 'upload_voice']

export const METHODS: Readonly<Record<string, (messenger: Messenger, args: Arguments) => unknown>> = {
  getMe: ({ bot }) => ({ id: bot, is_bot: true, first_name: 'Scripted', username: 'scripted_bot' }),
  sendMessage(messenger, args) {
    const chat = chatIn(messenger, args)
    const text = checkText(args['text'])
    const entities = checkEntities(args['entities'], text)
    const markup = checkMarkup(args['reply_markup'])
    return shown(stand(messenger, { chat, byBot: true, text, entities, markup }))
  },
  sendDocument(messenger, args) {
    const chat = chatIn(messenger, args)
    const sent = checkDocument(args)
    return shown(stand(messenger, { chat, byBot: true, ...sent, entities: [], markup: undefined }))
  },
  editMessageText(messenger, args) {
    const chat = chatIn(messenger, args)
    const standing = messenger.messages.get(placeOf(chat, Number(args['message_id'])))
    if (standing === undefined) throw badRequest('message to edit not found')
    if (!standing.byBot) throw badRequest("message can't be edited")
    if (standing.document !== undefined) throw badRequest('there is no text in the message to edit')
    const text = checkText(args['text'])
    const entities = checkEntities(args['entities'], text)
    const changed = { ...standing, text, entities, markup: checkMarkup(args['reply_markup']) }
    if (JSON.stringify(changed) === JSON.stringify(standing))
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      )
    messenger.messages.set(placeOf(chat, standing.id), changed)
    return shown(changed)
  },
  deleteMessage(messenger, args) {
    const chat = chatIn(messenger, args)
    if (!messenger.messages.delete(placeOf(chat, Number(args['message_id']))))
      throw badRequest('message to delete not found')
    return true
  },
  sendChatAction(messenger, args) {
    chatIn(messenger, args)
    if (!ACTIONS.includes(String(args['action']))) throw badRequest('wrong parameter action in request')
    return true
  },
  answerCallbackQuery(messenger, { callback_query_id: id, text = '' }) {
    if (!messenger.queries.delete(String(id)))
      throw badRequest('query is too old and response timeout expired or query ID is invalid')
    if (String(text).length > 200) throw badRequest('MESSAGE_TOO_LONG')
    return true
  },
  setWebhook(messenger, { url = '', secret_token: secret = '' }) {
    if (!/^https:|^http:\/\/127\.0\.0\.1:/.test(String(url)))
      throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
    if (!/^[A-Za-z0-9_-]{0,256}$/.test(String(secret)))
      throw badRequest('secret token contains unallowed characters')
    messenger.webhook = { url: String(url), secret: String(secret) }
    return true
  },
  getFile: ({ files }, { file_id: id }) => getFile(files, String(id)),
  deleteWebhook(messenger) {
    messenger.webhook = null
    return true
  },
  getWebhookInfo: ({ webhook, fares: { pending, failed } }) => ({
    ...{ url: webhook?.url ?? '', has_custom_certificate: false, pending_update_count: pending },
    ...(failed !== null && { last_error_date: failed.at, last_error_message: failed.said }),
  }),
  getUpdates(messenger, { offset = 0, limit = 100 }) {
    if (messenger.webhook !== null)
      throw new Refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    // Who asks for what comes after an update has it.
    messenger.queue = messenger.queue.filter(({ update_id }) => update_id >= Number(offset))
    return messenger.queue.slice(0, Number(limit))
  },
  setMyCommands(messenger, args) {
    const { commands } = args
    if (!Array.isArray(commands) || commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH')
    for (const { command, description } of commands as Record<string, string>[])
      if (!/^[a-z0-9_]{1,32}$/.test(command ?? '') || !/^.{1,256}$/.test(description ?? ''))
        throw badRequest('BOT_COMMAND_INVALID')
    messenger.menus.set(scopeIn(messenger, args), commands as Menu)
    return true
  },
  deleteMyCommands(messenger, args) {
    messenger.menus.delete(scopeIn(messenger, args))
    return true
  },
}

/** Where commands are offered: `default`, `all_private_chats`, or `chat:` with the chat's id. */
function scopeIn(messenger: Messenger, { scope }: Arguments): string {
  const { type, ...where } = (scope ?? { type: 'default' }) as Arguments
  if (type === 'chat') return `chat:${chatIn(messenger, where)}`
  if (!['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators'].includes(String(type)))
    throw badRequest('unsupported bot command scope')
  return String(type)
}

export function stand(messenger: Messenger, message: Omit<StandingMessage, 'id'>): StandingMessage {
  messenger.lastId += 1
  const standing = { ...message, id: messenger.lastId }
  messenger.messages.set(placeOf(message.chat, standing.id), standing)
  return standing
}

/** A bot writes to nobody who has not written to it. */
function chatIn({ chats }: Messenger, { chat_id: chat }: Arguments): number {
  if (chat === undefined || !Number.isInteger(chat)) throw badRequest('chat_id is empty')
  if (!chats.has(Number(chat))) throw badRequest('chat not found')
  return Number(chat)
}

/** What waits for the bot's next question. Its number. */
export function queue(messenger: Messenger, update: object): number {
  messenger.lastId += 1
  const { lastId } = messenger
  messenger.queue = [...messenger.queue, { ...update, update_id: lastId }]
  return lastId
}

export function shown({ chat, id, text, entities }: StandingMessage): object {
  return { message_id: id, date: 1, chat: { id: chat, type: chat < 0 ? 'group' : 'private' }, text, entities }
}

/** A message as the real one repeats it to the bot, its own included: in an answer, a pin, a tap on its button. */
export function echoed({ bot }: Messenger, message: StandingMessage): object {
  const { chat, byBot, document } = message
  const from = byBot
    ? { id: bot, is_bot: true, first_name: 'Scripted', username: 'scripted_bot' }
    : { id: chat, is_bot: false, first_name: 'P' }
  const { text, ...rest } = shown(message) as { readonly text: string }
  return { ...rest, from, ...(document === undefined ? { text } : { document, caption: text }) }
}
