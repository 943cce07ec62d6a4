/**
 * The owner's direct messages in Slack for outbox and progress: renders deliveries within Slack's limits, and posts, edits and removes
 * one message. Must not decide which message is new, changed or unchanged: ../runtime/outbox.ts does. Called by home.
 */
import * as z from 'zod/mini'
import { digestOf } from '../../../kernel/flow/digest.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import type { Button } from '../runtime/cards.ts'
import type { ChatService } from '../runtime/chat-service.ts'
import { renderMarkdown } from '../runtime/markdown.ts'
import type { SlackApi } from './api.ts'
import { SLACK } from './channel.ts'
import { escaped, exactParts, markedParts, type SlackPart } from './render.ts'

interface Shown {
  readonly text: string
  readonly blocks: readonly object[]
}

/** Slack's timestamp of a message, its id within the chat. */
const TIME = /^\d{1,12}\.\d{1,6}$/
const SENT = z.object({ ts: z.string().check(z.regex(TIME)) })

/** No name in a message becomes a mention. */
const NO_MENTIONS = { link_names: false, parse: 'none' } as const
/** No address in a message is fetched for a preview. */
const QUIET = { unfurl_links: false, unfurl_media: false, ...NO_MENTIONS } as const

/** Slack has no typing indicator for bots. */
export function slackChat(api: SlackApi): ChatService<string, Shown> {
  return {
    channel: SLACK,
    async post(chat, { text, blocks }) {
      const sent = await api.call('chat.postMessage', { channel: chat, text, blocks, ...QUIET })
      if (!sent.ok) return sent
      const message = SENT.safeParse(sent.value)
      return message.success ? ok(message.data.ts) : err('remote_rejected', { why: 'answer' })
    },
    edit: (chat, ts, { text, blocks }) =>
      api.call('chat.update', { channel: chat, ts, text, blocks, ...NO_MENTIONS }),
    remove: (chat, ts) => api.call('chat.delete', { channel: chat, ts }),
    messages(delivery, buttons) {
      const parts = partsIn(delivery)
      return parts.map(({ shown, plain }, index) => ({
        text: plain,
        blocks: [
          { type: 'section', text: shown },
          ...(buttons !== null && index === parts.length - 1 ? [actionsOf(buttons)] : []),
        ],
      }))
    },
    digest: ({ blocks }) => digestOf([JSON.stringify(blocks)]),
    progress: (text) => ({
      text: escaped(text),
      blocks: exactParts(text).map((part) => ({ type: 'section', text: part.shown })),
    }),
    messageIn: (text) => (TIME.test(text) ? text : null),
  }
}

/** A question shows exact text, and a notice is text of the kernel: only an answer is rendered as Markdown. */
function partsIn({ kind, text }: Delivery): readonly SlackPart[] {
  return kind === 'answer' ? markedParts(renderMarkdown(text)) : exactParts(text)
}

function actionsOf(rows: readonly (readonly Button[])[]): object {
  const elements = rows.flat().map(({ text, data }) => ({
    ...{ type: 'button', action_id: data },
    text: { type: 'plain_text', text, emoji: false },
  }))
  return { type: 'actions', elements }
}
