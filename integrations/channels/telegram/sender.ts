/**
 * Sends deliveries to Telegram chats: renders messages within Telegram's limits, and posts, edits and removes one. Must not decide
 * which message is new, changed or unchanged: ../runtime/outbox.ts does. Called by the place that holds the bot's token.
 */
import type { InlineKeyboardMarkup } from '@grammyjs/types'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import type { Button, Cards } from '../runtime/cards.ts'
import type { KeptPort, SentShelf } from '../runtime/kept.ts'
import { renderMarkdown } from '../runtime/markdown.ts'
import { type ChatRender, type ChatVerbs, createOutbox, createProgressOf } from '../runtime/outbox.ts'
import type { Progress } from '../runtime/progress.ts'
import { type BotApi, MESSAGE } from './api.ts'
import { TELEGRAM } from './channel.ts'
import { fileOf, putFile } from './document.ts'
import { type Part, partsOf } from './render.ts'

export interface TelegramSenderInput {
  readonly api: BotApi
  readonly shelf: SentShelf
  readonly cards: Cards
  /** Absent when no progress is shown. */
  readonly progress?: Progress
  /** Telegram's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => number | null
}

/** Whole content of a message: an edit without buttons removes them. */
interface Shown {
  readonly part: Part
  readonly markup: InlineKeyboardMarkup | null
}

export function createTelegramSender(input: TelegramSenderInput): SenderPort {
  const { api, ...own } = input
  return createOutbox<number, Shown>({ ...own, verbs: verbsOf(api), render: renderFor(api) })
}

/** Shows a task's progress in a message, which later becomes its next delivery (C-32). */
export function createProgress({
  api,
  ...own
}: Pick<TelegramSenderInput, 'api' | 'shelf' | 'chatOf'> & { readonly kept: KeptPort }): Progress {
  return createProgressOf<number, Shown>({
    ...own,
    ...{ verbs: verbsOf(api), render: renderFor(api), channel: TELEGRAM },
  })
}

function verbsOf(api: BotApi): ChatVerbs<number, Shown> {
  return {
    async post(chat, shown) {
      const sent = await withFallback(shown, (looks) =>
        api.call('sendMessage', { chat_id: chat, ...bodyOf(shown), ...looks, ...NO_PREVIEW }),
      )
      if (!sent.ok) return sent
      const message = MESSAGE.safeParse(sent.value)
      return message.success ? ok(message.data.message_id) : err('remote_rejected', { why: 'answer' })
    },
    async edit(chat, message, shown) {
      const at = { chat_id: chat, message_id: message }
      const changed = await withFallback(shown, (looks) =>
        api.call('editMessageText', { ...at, ...bodyOf(shown), ...looks, ...NO_PREVIEW }),
      )
      return isTrouble(changed, 'unchanged') ? ok(true) : changed
    },
    remove: (chat, message) => api.call('deleteMessage', { chat_id: chat, message_id: message }),
    typing: (chat) => api.call('sendChatAction', { chat_id: chat, action: 'typing' }),
  }
}

function renderFor(api: BotApi): ChatRender<number, Shown> {
  return {
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
      const file = fileOf(
        delivery,
        messages.map(({ part }) => part),
      )
      return file === null ? null : ({ shelf, ...place }) => putFile({ api, shelf }, place, file)
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

/** The message's content without formatting. */
function bodyOf({ part: { text }, markup }: Shown) {
  return {
    text,
    ...(markup !== null && { reply_markup: markup }),
  }
}

type Looks = { readonly entities?: Part['entities'] extends readonly (infer E)[] ? E[] : never }

/** Sends the text without formatting if Telegram refuses the entities. */
async function withFallback(
  { part: { entities } }: Shown,
  send: (looks: Looks) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  if (entities.length === 0) return send({})
  const sent = await send({ entities: [...entities] })
  return !sent.ok && isTrouble(sent, 'entities') ? send({}) : sent
}

function isTrouble(result: Result<unknown>, why: string): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === why
}
