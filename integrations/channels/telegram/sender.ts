/**
 * Deliveries into chats of Telegram: in messages that Telegram takes, each once. What was sent of a delivery is noted message by
 * message, so that a delivery which is told again goes on where it broke off, and one whose text has changed changes its messages
 * (DESIGN §3). Waiting is not done here: a refusal says how long Telegram wants to be left alone, and the machine waits (H-17).
 * Must not look at labels: it is handed what the egress step released. Called through `SenderPort` alone.
 */
import * as z from 'zod/mini'
import { allowed, type Result, refused } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import type { BotApi } from './api.ts'
import { renderMarkdown } from './render.ts'
import { type Part, partsOf } from './runs.ts'

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

export interface TelegramSenderInput {
  readonly api: BotApi
  readonly shelf: SentShelf
  /** Telegram's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => number | null
}

const MESSAGE = z.object({ message_id: z.int() })

export function createTelegramSender(input: TelegramSenderInput): SenderPort {
  const { api, chatOf } = input
  return {
    async send(delivery) {
      const chat = chatOf(delivery.sink)
      if (chat === null) return refused('sink_unknown', { sink: delivery.sink })
      for (const [index, part] of messagesOf(delivery).entries()) {
        const sent = await put(input, { delivery: delivery.id, chat, index, part })
        if (!sent.ok) return sent
      }
      return allowed(true)
    },
    acknowledges: () => true,
    async retract({ sink, message }) {
      const chat = chatOf(sink)
      if (chat === null || !/^\d{1,15}$/.test(message)) return refused('sink_unknown', { sink })
      const gone = await api.call('deleteMessage', { chat_id: chat, message_id: Number(message) })
      if (gone.ok) return allowed(true)
      return isTrouble(gone, 'gone') ? refused('nothing_found') : gone
    },
  }
}

/** A question shows exact bytes and a notice is the kernel's: only an answer has Markdown in it. */
function messagesOf({ kind, text }: Delivery): readonly Part[] {
  return partsOf(kind === 'answer' ? renderMarkdown(text) : [{ text, styles: [] }])
}

interface Putting {
  readonly delivery: string
  readonly chat: number
  readonly index: number
  readonly part: Part
}

/** In its place among the messages of its delivery: new, changed, or there already. */
async function put(
  input: TelegramSenderInput,
  { delivery, chat, index, part }: Putting,
): Promise<Result<true>> {
  const { shelf } = input
  const said = digestOf([part.text, part.entities.map(({ type, offset, length }) => [type, offset, length])])
  const known = shelf.load(delivery)[index]
  if (known?.said === said) return allowed(true)
  const made =
    known === undefined ? await say(input.api, chat, part) : await change(input.api, { chat, known, part })
  if (!made.ok) return made
  shelf.save(delivery, shelf.load(delivery).toSpliced(index, 1, { message: made.value, said }))
  return allowed(true)
}

/** The new message's id. */
async function say(api: BotApi, chat: number, part: Part): Promise<Result<number>> {
  const sent = await withFallback(part, (looks) =>
    api.call('sendMessage', { chat_id: chat, text: part.text, ...looks, ...NO_PREVIEW }),
  )
  if (!sent.ok) return sent
  const message = MESSAGE.safeParse(sent.value)
  return message.success ? allowed(message.data.message_id) : refused('remote_rejected', { why: 'answer' })
}

/** One that its reader has deleted is said again. */
async function change(
  api: BotApi,
  { chat, known, part }: Pick<Putting, 'chat' | 'part'> & { readonly known: SentPart },
): Promise<Result<number>> {
  const { message } = known
  const changed = await withFallback(part, (looks) =>
    api.call('editMessageText', {
      chat_id: chat,
      message_id: message,
      text: part.text,
      ...looks,
      ...NO_PREVIEW,
    }),
  )
  if (changed.ok || isTrouble(changed, 'unchanged')) return allowed(message)
  return isTrouble(changed, 'gone') ? say(api, chat, part) : changed
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
