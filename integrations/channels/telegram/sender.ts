/**
 * Telegram's chats for outbox and progress: renders deliveries within Telegram's limits, and posts, edits and removes one message. An
 * answer that would take too many messages is one file (H-15). Must not decide which message is new, changed or unchanged, nor look at
 * labels: ../runtime/outbox.ts sends. Called by the place that holds the bot's token.
 */
import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types'
import { digestOf } from '../../../kernel/flow/digest.ts'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import { endAtWord } from '../../../kernel/wording/note.ts'
import type { Button } from '../runtime/cards.ts'
import type { ChatService, FilePlace } from '../runtime/chat-service.ts'
import { renderMarkdown } from '../runtime/markdown.ts'
import type { BotApi } from './api.ts'
import { TELEGRAM } from './channel.ts'
import { type Part, partsOf } from './render.ts'

interface Shown {
  readonly part: Part
  readonly markup: InlineKeyboardMarkup | null
}

export function telegramChat(api: BotApi): ChatService<number, Shown> {
  return {
    channel: TELEGRAM,
    async post(chat, shown) {
      const sent = await withFallback(shown, (looks) =>
        api.ask((bot) => bot.sendMessage(chat, shown.part.text, { ...looks, ...NO_PREVIEW })),
      )
      return sent.ok ? ok(sent.value.message_id) : sent
    },
    async edit(chat, message, shown) {
      const changed = await withFallback(shown, (looks) =>
        api.ask((bot) => bot.editMessageText(chat, message, shown.part.text, { ...looks, ...NO_PREVIEW })),
      )
      return isTrouble(changed, 'unchanged') ? ok(true) : changed
    },
    remove: (chat, message) => api.ask((bot) => bot.deleteMessage(chat, message)),
    typing: (chat) => api.ask((bot) => bot.sendChatAction(chat, 'typing')),
    messages(delivery, buttons) {
      const parts = partsIn(delivery)
      const markup = buttons === null ? null : keyboardOf(buttons)
      return parts.map((part, index) => ({ part, markup: index === parts.length - 1 ? markup : null }))
    },
    digest({ part: { text, entities }, markup }) {
      const looks = entities.map(({ type, offset, length }) => [type, offset, length])
      return digestOf([text, looks, JSON.stringify(markup)])
    },
    progress: (text) => ({ part: { text, entities: [] }, markup: null }),
    messageIn: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
    asFile(delivery, messages) {
      const parts = messages.map(({ part }) => part)
      const file = fileOf(delivery, parts)
      return file === null ? null : (place) => putFile(api, place, file)
    },
  }
}

/** A question shows exact text, and a notice is text of the kernel: only an answer is rendered as Markdown. */
function partsIn({ kind, text }: Delivery): readonly Part[] {
  return partsOf(kind === 'answer' ? renderMarkdown(text) : [{ text, styles: [] }])
}

function keyboardOf(rows: readonly (readonly Button[])[]): InlineKeyboardMarkup {
  return {
    inline_keyboard: rows.map((row) => row.map(({ text, data }) => ({ text, callback_data: data }))),
  }
}

/** No address in an answer is fetched for a preview. */
const NO_PREVIEW = { link_preview_options: { is_disabled: true } } as const

interface Looks {
  readonly reply_markup?: InlineKeyboardMarkup
  readonly entities?: MessageEntity[]
}

/** Sends the text without formatting if Telegram refuses the entities. */
async function withFallback<T>(
  { part: { entities }, markup }: Shown,
  send: (looks: Looks) => Promise<Result<T>>,
): Promise<Result<T>> {
  const plain = markup === null ? {} : { reply_markup: markup }
  if (entities.length === 0) return send(plain)
  const sent = await send({ ...plain, entities: [...entities] })
  return isTrouble(sent, 'entities') ? send(plain) : sent
}

function isTrouble(result: Result<unknown>, why: string): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === why
}

/** Most messages for one answer: a longer one is hard to read in a chat, and Telegram counts each message as a request. */
export const MOST_MESSAGES = 5
/** Longest caption in UTF-16 units; Telegram refuses a longer one. */
export const MAX_CAPTION = 1_024
const FILE_NAME = 'answer.txt'
const REST = '… The whole answer is in this file.'

interface AnswerFile {
  readonly caption: string
  readonly text: string
}

/** The beginning as caption, and the whole text as a file; null for what is sent as messages, as a question always is. */
function fileOf({ kind }: Pick<Delivery, 'kind'>, parts: readonly Part[]): AnswerFile | null {
  const [first] = parts
  if (kind !== 'answer' || parts.length <= MOST_MESSAGES || first === undefined) return null
  const [paragraph = ''] = first.text.split(/\n\s*\n/)
  const begins = endAtWord(paragraph, MAX_CAPTION - REST.length - 1, true)
  return { caption: `${begins}${REST}`, text: parts.map(({ text }) => text).join('\n\n') }
}

/**
 * Sends the whole answer as a plain text file, in which nothing is a link, once: the sent store records it. Refusals: those of
 * the Bot API.
 */
async function putFile(
  api: BotApi,
  { delivery, chat, sentStore }: FilePlace<number>,
  { caption, text }: AnswerFile,
): Promise<Result<true>> {
  const said = digestOf([caption, text])
  const [known] = sentStore.load(delivery)
  if (known?.said === said) return ok(true)
  const sent = await api.ask((bot, fileOf) => bot.sendDocument(chat, fileOf(text, FILE_NAME), { caption }))
  if (!sent.ok) return sent
  sentStore.save(delivery, [{ message: sent.value.message_id, said }])
  // A file cannot be edited: the former one is deleted. If that fails, both remain.
  if (known !== undefined) await api.ask((bot) => bot.deleteMessage(chat, known.message))
  return ok(true)
}
