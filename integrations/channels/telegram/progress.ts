/** How far a task is, shown in a chat of Telegram. Must not say when: ../progress.ts does. Called by the place that holds the bot's token. */
import type { KeptPort, SentShelf } from '../kept.ts'
import { createTaskProgress, type Progress } from '../progress.ts'
import type { BotApi } from './api.ts'
import { MESSAGE } from './sent.ts'

export function createProgress(input: {
  readonly api: BotApi
  readonly kept: KeptPort
  readonly shelf: SentShelf
  /** Null for a sink of another channel. */
  readonly chatOf: (sink: string) => number | null
}): Progress {
  const { api } = input
  return createTaskProgress<number>({
    ...{ kept: input.kept, shelf: input.shelf, chatOf: input.chatOf, channel: 'telegram' },
    chats: {
      async say(chat, text) {
        const sent = await api.call('sendMessage', { chat_id: chat, text })
        const message = MESSAGE.safeParse(sent.ok ? sent.value : null)
        return message.success ? message.data.message_id : null
      },
      change: (chat, message, text) =>
        api.call('editMessageText', { chat_id: chat, message_id: message, text }),
      async take(chat, message) {
        const gone = await api.call('deleteMessage', { chat_id: chat, message_id: message })
        return gone.ok || gone.reason.code === 'remote_rejected'
      },
      typing: (chat) => api.call('sendChatAction', { chat_id: chat, action: 'typing' }),
    },
  })
}
