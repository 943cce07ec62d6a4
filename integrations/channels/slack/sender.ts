/**
 * Deliveries into the owner's direct messages at Slack: in messages that Slack takes, each once. What was sent of a delivery is noted
 * message by message, so that a delivery which is told again goes on where it broke off, and one whose text has changed changes its
 * messages (DESIGN §3). Waiting is not done here: a refusal says how long Slack wants to be left alone, and the machine waits (H-17).
 * Must not look at labels: it is handed what the egress step released. Called through `SenderPort` alone.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../../kernel/powers/ports.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import { YES_NO } from '../../../kernel/wording/card.ts'
import type { Cards } from '../cards.ts'
import type { KeptPort, SentShelf } from '../kept.ts'
import { renderMarkdown } from '../markdown.ts'
import { createTaskProgress, type Progress } from '../progress.ts'
import type { SlackApi } from './api.ts'
import { escaped, exactParts, markedParts, type SlackPart } from './render.ts'

export interface SlackSenderInput {
  readonly api: SlackApi
  readonly shelf: SentShelf<string>
  readonly cards: Cards
  readonly progress: Progress<string>
  /** Slack's id of the chat behind a sink; null for a sink of another channel. */
  readonly chatOf: (sink: string) => string | null
}

/** Slack's time of a message, which names it in its chat. */
const TIME = /^\d{1,12}\.\d{1,6}$/
const SENT = z.object({ ts: z.string().check(z.regex(TIME)) })

/** An address in a message is not fetched for a preview of it, and no name in it is made a mention. */
const QUIET = { unfurl_links: false, unfurl_media: false, link_names: false, parse: 'none' } as const

export function createSlackSender(input: SlackSenderInput): SenderPort {
  const { api, chatOf, progress, cards } = input
  return {
    async send(delivery) {
      const chat = chatOf(delivery.sink)
      if (chat === null) return err('sink_unknown', { sink: delivery.sink })
      const parts = partsIn(delivery)
      await progress.becomes(delivery, chat)
      for (const [index, part] of parts.entries()) {
        const buttons = index === parts.length - 1 ? buttonsOf(input, delivery, chat) : []
        const blocks = [{ type: 'section', text: part.shown }, ...buttons]
        const sent = await put(input, { delivery: delivery.id, chat, index, text: part.plain, blocks })
        if (!sent.ok) return sent
        if (buttons.length > 0) cards.shown(delivery.id, sent.value)
      }
      return ok(true)
    },
    work: progress,
    acknowledges: () => true,
    // Of a person's own message Slack says that a bot cannot delete it, and he is asked to.
    async retract({ sink, message }) {
      const chat = chatOf(sink)
      if (chat === null || !TIME.test(message)) return err('sink_unknown', { sink })
      const gone = await api.call('chat.delete', { channel: chat, ts: message })
      if (gone.ok) return ok(true)
      return isGone(gone) ? err('nothing_found') : gone
    },
  }
}

/** A question shows exact bytes and a notice is the kernel's: only an answer has Markdown in it. */
function partsIn({ kind, text }: Delivery): readonly SlackPart[] {
  return kind === 'answer' ? markedParts(renderMarkdown(text)) : exactParts(text)
}

/** Under the last message of a question. */
function buttonsOf(
  { cards }: SlackSenderInput,
  { id: delivery, kind, approval, buttons: said = YES_NO }: Delivery,
  chat: string,
): readonly object[] {
  if (kind !== 'card' || approval === null) return []
  const { yes, no, more } = cards.buttonsOf({ delivery, approval, chat })
  const button = (text: string, data: string) => ({
    ...{ type: 'button', action_id: data },
    text: { type: 'plain_text', text, emoji: false },
  })
  const page = said.more === undefined ? [] : [button(said.more, more)]
  return [{ type: 'actions', elements: [button(said.yes, yes), button(said.no, no), ...page] }]
}

interface Putting {
  readonly delivery: string
  readonly chat: string
  readonly index: number
  readonly text: string
  /** All that stands in the message: one that is changed without its buttons has none any more. */
  readonly blocks: readonly object[]
}

/** In its place among the messages of its delivery: new, changed, or there already. The message's time. */
async function put({ shelf, api }: SlackSenderInput, putting: Putting): Promise<Result<string>> {
  const { delivery, index, blocks } = putting
  const said = digestOf([JSON.stringify(blocks)])
  const known = shelf.load(delivery)[index]
  if (known?.said === said) return ok(known.message)
  const made = known === undefined ? await say(api, putting) : await change(api, putting, known.message)
  if (made.ok) shelf.save(delivery, shelf.load(delivery).toSpliced(index, 1, { message: made.value, said }))
  return made
}

async function say(
  api: SlackApi,
  { chat, text, blocks }: Pick<Putting, 'chat' | 'text' | 'blocks'>,
): Promise<Result<string>> {
  const sent = await api.call('chat.postMessage', { channel: chat, text, blocks, ...QUIET })
  if (!sent.ok) return sent
  const message = SENT.safeParse(sent.value)
  return message.success ? ok(message.data.ts) : err('remote_rejected', { why: 'answer' })
}

/** One that is there no more, or may not be changed any more, is said again. */
async function change(api: SlackApi, putting: Putting, message: string): Promise<Result<string>> {
  const { chat, text, blocks } = putting
  const changed = await api.call('chat.update', {
    ...{ channel: chat, ts: message, text, blocks },
    ...{ link_names: false, parse: 'none' },
  })
  if (changed.ok) return ok(message)
  return isGone(changed) ? say(api, putting) : changed
}

function isGone(result: Result<unknown>): boolean {
  return !result.ok && result.reason.code === 'remote_rejected' && result.reason.facts['why'] === 'gone'
}

/** How far a task is, in a message that becomes what it says next (C-32). Slack shows nothing of a bot that writes. */
export function createSlackProgress(
  input: Pick<SlackSenderInput, 'api' | 'shelf' | 'chatOf'> & { readonly kept: KeptPort },
): Progress<string> {
  const { api, kept, shelf, chatOf } = input
  const shown = (text: string) => ({
    text: escaped(text),
    blocks: exactParts(text).map((part) => ({ type: 'section', text: part.shown })),
  })
  return createTaskProgress<string>({
    ...{ kept, shelf, chatOf, channel: 'slack' },
    chats: {
      async say(chat, text) {
        const sent = await say(api, { chat, ...shown(text) })
        return sent.ok ? sent.value : null
      },
      change: (chat, ts, text) => api.call('chat.update', { channel: chat, ts, ...shown(text) }),
      async take(chat, ts) {
        const gone = await api.call('chat.delete', { channel: chat, ts })
        return gone.ok || gone.reason.code === 'remote_rejected'
      },
    },
  })
}
