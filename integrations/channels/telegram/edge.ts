/**
 * The edge's Telegram bot: the chats it may write to, the messages it has sent, and its webhook's health. Must address a chat only
 * by a sink's name. Listed in ../edge.ts.
 */
import type { Transport } from '../../http/transport.ts'
import { createCardDesk } from '../runtime/cards.ts'
import type { EdgeChannel, EdgePackage } from '../runtime/edge-package.ts'
import { createShelf } from '../runtime/kept.ts'
import { createBotApi } from './api.ts'
import { TELEGRAM, TELEGRAM_CHANNEL, TELEGRAM_OPEN } from './channel.ts'
import { answerUpdate } from './edge-route.ts'
import { edgeTelegram, type TelegramSetting } from './edge-setting.ts'
import { createTelegramFiles } from './files.ts'
import { webhookInfo, webhookTrouble } from './health.ts'
import { keepMenu, menuFor } from './menu.ts'
import { createProgress, createTelegramSender } from './sender.ts'
import { WEBHOOK_PATH, webhookOf } from './webhook.ts'

/** UTF-16 units kept of Telegram's last error text. */
const MOST_SAID = 120

export const TELEGRAM_EDGE: EdgePackage = Object.freeze({
  declaration: TELEGRAM_CHANNEL,
  bindings: ['TELEGRAM', 'TELEGRAM_TOKEN', 'TELEGRAM_SECRET'],
  open(env: Parameters<EdgePackage['open']>[0], transport: Transport) {
    const { setting, trouble } = edgeTelegram(env)
    return { channel: setting === null ? null : channelOf(setting, transport), trouble }
  },
} satisfies EdgePackage)

function channelOf(setting: TelegramSetting, transport: Transport): EdgeChannel {
  const { owner, strangers, edge, commands, token, secret } = setting
  const api = createBotApi({ token, origin: setting.api, transport })
  const chatOf = (sink: string): number | null => chatBehind(sink, setting)
  return {
    ...{ declaration: TELEGRAM_CHANNEL, owner: `${TELEGRAM}:${owner}`, strangers, edge, commands },
    secrets: [
      [TELEGRAM, token],
      [`${TELEGRAM}Secret`, secret],
    ],
    senderOf(kept, key) {
      const shelf = createShelf(kept, TELEGRAM)
      const progress = createProgress({ api, kept, shelf, chatOf })
      const cards = createCardDesk({ kept, channel: TELEGRAM }, key)
      const sender = createTelegramSender({ api, shelf, cards, progress, chatOf })
      return (sink) => {
        if (sink === TELEGRAM_OPEN.sink)
          void keepMenu(kept, menuFor(owner, commands, 'edge'), api).catch(() => undefined)
        return chatOf(sink) === null ? null : sender
      }
    },
    files: (readers) => createTelegramFiles({ ...readers, api, holds: (sink) => chatOf(sink) !== null }),
    check: (since) => webhookTrouble(api, { path: WEBHOOK_PATH, since }),
    async health(here) {
      const info = await webhookInfo(api)
      if (!info.ok) return { trouble: info.reason.code }
      const { url, pending_update_count: pending, last_error_date: at, last_error_message: said } = info.value
      return {
        here: url === `${here}${WEBHOOK_PATH}`,
        pending,
        /** Seconds since the epoch. */
        failedAt: at ?? null,
        said: said?.slice(0, MOST_SAID) ?? null,
      }
    },
    order: (here, set) =>
      set ? api.call('setWebhook', webhookOf(here, secret)) : api.call('deleteWebhook', {}),
    answer: (request, ways) => answerUpdate({ request, ways, setting, api }),
  }
}

/** Telegram's id of the chat behind a sink, which names a stranger's chat by that id; a group's is negative. */
export function chatBehind(sink: string, { owner }: Pick<TelegramSetting, 'owner'>): number | null {
  if (sink === TELEGRAM_OPEN.sink) return owner
  const id = new RegExp(`^sink:${TELEGRAM}:(-?[1-9][0-9]{0,15})$`).exec(sink)?.[1]
  return id === undefined ? null : Number(id)
}
