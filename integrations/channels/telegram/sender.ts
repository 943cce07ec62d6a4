/**
 * Deliveries into chats of Telegram: in messages that Telegram takes, each once. What was sent of a delivery is noted message by
 * message, so that a delivery which is told again goes on where it broke off, and one whose text has changed changes its messages
 * (DESIGN §3). Waiting is not done here: a refusal says how long Telegram wants to be left alone, and the machine waits (H-17).
 * Must not look at labels: it is handed what the egress step released. Called through `SenderPort` alone.
 */
import type { InlineKeyboardMarkup } from '@grammyjs/types'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import type { SentShelf } from '../kept.ts'
import { renderMarkdown } from '../markdown.ts'
import type { Progress } from '../progress.ts'
import type { BotApi } from './api.ts'
import { fileOf, putFile } from './document.ts'
import { type Part, partsOf } from './runs.ts'
import { MESSAGE } from './sent.ts'

/** Buttons under a question. The same card has the same ones, however often it is told. */
export interface CardPort {
  buttonsFor(card: {
    readonly delivery: string
    readonly approval: string
    readonly chat: number
    /** What they say, where it is not yes and no. */
    readonly buttons: Delivery['buttons']
  }): InlineKeyboardMarkup
  /** Where the card stands now. */
  shown(delivery: string, message: number): void
}

export interface TelegramSenderInput {
  readonly api: BotApi
  readonly shelf: SentShelf
  readonly cards: CardPort
  /** Absent where nothing is shown while a task is worked on. */
  readonly progress?: Progress
  /** Telegram's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => number | null
}

export function createTelegramSender(input: TelegramSenderInput): SenderPort {
  const { api, chatOf } = input
  return {
    async send(delivery) {
      const chat = chatOf(delivery.sink)
      if (chat === null) return err('sink_unknown', { sink: delivery.sink })
      const parts = messagesOf(delivery)
      await input.progress?.becomes(delivery, chat)
      const file = fileOf(delivery, parts)
      if (file !== null) return putFile(input, { delivery: delivery.id, chat }, file)
      for (const [index, part] of parts.entries()) {
        const markup = index === parts.length - 1 ? markupOf(input, delivery, chat) : null
        const sent = await put(input, { delivery: delivery.id, chat, index, part, markup })
        if (!sent.ok) return sent
        if (markup !== null) input.cards.shown(delivery.id, sent.value)
      }
      return ok(true)
    },
    ...(input.progress && { work: input.progress }),
    acknowledges: () => true,
    async retract({ sink, message }) {
      const chat = chatOf(sink)
      if (chat === null || !/^\d{1,15}$/.test(message)) return err('sink_unknown', { sink })
      const gone = await api.call('deleteMessage', { chat_id: chat, message_id: Number(message) })
      if (gone.ok) return ok(true)
      return isTrouble(gone, 'gone') ? err('nothing_found') : gone
    },
  }
}

/** A question shows exact bytes and a notice is the kernel's: only an answer has Markdown in it. */
function messagesOf({ kind, text }: Delivery): readonly Part[] {
  return partsOf(kind === 'answer' ? renderMarkdown(text) : [{ text, styles: [] }])
}

/** Under the last message of a question. */
function markupOf(
  { cards }: TelegramSenderInput,
  { id, kind, approval, buttons: said }: Delivery,
  chat: number,
): InlineKeyboardMarkup | null {
  return kind === 'card' && approval !== null
    ? cards.buttonsFor({ delivery: id, approval, chat, buttons: said })
    : null
}

interface Putting {
  readonly delivery: string
  readonly chat: number
  readonly index: number
  readonly part: Part
  readonly markup: InlineKeyboardMarkup | null
}

/** In its place among the messages of its delivery: new, changed, or there already. The message's id. */
async function put(input: TelegramSenderInput, putting: Putting): Promise<Result<number>> {
  const { shelf, api } = input
  const { delivery, index, part, markup } = putting
  const looks = part.entities.map(({ type, offset, length }) => [type, offset, length])
  const said = digestOf([part.text, looks, JSON.stringify(markup)])
  const known = shelf.load(delivery)[index]
  if (known?.said === said) return ok(known.message)
  const made = known === undefined ? await say(api, putting) : await change(api, putting, known.message)
  if (made.ok) shelf.save(delivery, shelf.load(delivery).toSpliced(index, 1, { message: made.value, said }))
  return made
}

async function say(api: BotApi, { chat, part, markup }: Putting): Promise<Result<number>> {
  const { text } = part
  const sent = await withFallback(part, (looks) =>
    api.call('sendMessage', { chat_id: chat, text, ...looks, ...NO_PREVIEW, ...buttons(markup) }),
  )
  if (!sent.ok) return sent
  const message = MESSAGE.safeParse(sent.value)
  return message.success ? ok(message.data.message_id) : err('remote_rejected', { why: 'answer' })
}

/** One that its reader has deleted is said again. */
async function change(api: BotApi, putting: Putting, message: number): Promise<Result<number>> {
  const { chat, part, markup } = putting
  const at = { chat_id: chat, message_id: message, text: part.text }
  const changed = await withFallback(part, (looks) =>
    api.call('editMessageText', { ...at, ...looks, ...NO_PREVIEW, ...buttons(markup) }),
  )
  if (changed.ok || isTrouble(changed, 'unchanged')) return ok(message)
  return isTrouble(changed, 'gone') ? say(api, putting) : changed
}

/** A message that is changed without them loses its buttons. */
function buttons(markup: InlineKeyboardMarkup | null): { readonly reply_markup?: InlineKeyboardMarkup } {
  return markup === null ? {} : { reply_markup: markup }
}

/** An address in an answer is not fetched for a preview of it. */
const NO_PREVIEW = { link_preview_options: { is_disabled: true } } as const

type Looks = { readonly entities?: Part['entities'] extends readonly (infer E)[] ? E[] : never }

/** The words count, not their look: where Telegram does not take the entities, they go plain. */
async function withFallback(
  { entities }: Part,
  send: (looks: Looks) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  if (entities.length === 0) return send({})
  const sent = await send({ entities: [...entities] })
  return !sent.ok && isTrouble(sent, 'entities') ? send({}) : sent
}

function isTrouble(result: Result<unknown>, why: string): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === why
}
