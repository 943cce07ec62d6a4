/**
 * The edge's Telegram bot: the chats it may write to, the messages it has sent, and its webhook's health. Must address a chat only
 * by a sink's name. Listed in ../edge.ts.
 */
import { once } from '../../../kernel/flow/once.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { Transport } from '../../http/transport.ts'
import type { EdgeChannel, EdgePackage } from '../runtime/edge-package.ts'
import { createFiles } from '../runtime/files.ts'
import { createSender } from '../runtime/outbox.ts'
import { type BotApi, createBotApi, fetchFile, setWebhook } from './api.ts'
import { TELEGRAM, TELEGRAM_CHANNEL, TELEGRAM_OPEN, WEBHOOK_PATH } from './channel.ts'
import { answerUpdate } from './edge-route.ts'
import { edgeTelegram, type TelegramSetting } from './edge-setting.ts'
import { keepMenu, menuFor } from './menu.ts'
import { telegramChat } from './sender.ts'

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
  const menu = once(() => menuFor(owner, commands, 'edge'))
  return {
    ...{ declaration: TELEGRAM_CHANNEL, owner: `${TELEGRAM}:${owner}`, strangers, edge, commands },
    secrets: [
      [TELEGRAM, token],
      [`${TELEGRAM}Secret`, secret],
    ],
    senderOf(kept, key) {
      const sender = createSender(telegramChat(api), { kept, key, chatOf })
      return (sink) => {
        if (sink === TELEGRAM_OPEN.sink) void keepMenu(kept, menu(), api).catch(() => undefined)
        return chatOf(sink) === null ? null : sender
      }
    },
    files: (readers) =>
      createFiles({
        ...readers,
        fetch: (ref, most) => fetchFile(api, ref, most),
        holds: (sink) => chatOf(sink) !== null,
      }),
    check: (since) => webhookTrouble(api, { path: WEBHOOK_PATH, since }),
    async health(here) {
      const info = await api.ask((bot) => bot.getWebhookInfo())
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
      set ? setWebhook(api, { edge: here, secret, isFresh: false }) : api.ask((bot) => bot.deleteWebhook()),
    answer: (request, ports) => answerUpdate({ request, ports, setting, api }),
  }
}

/** Telegram's id of the chat behind a sink, which names a stranger's chat by that id; a group's is negative. */
export function chatBehind(sink: string, { owner }: Pick<TelegramSetting, 'owner'>): number | null {
  if (sink === TELEGRAM_OPEN.sink) return owner
  const id = new RegExp(`^sink:${TELEGRAM}:(-?[1-9][0-9]{0,15})$`).exec(sink)?.[1]
  return id === undefined ? null : Number(id)
}

/** Pending updates at Telegram from which on something must be wrong. */
const MOST_PENDING = 100

/**
 * `not_set`: no webhook; `elsewhere`: one that is not the bot's route; `errors`: deliveries failed; `waiting`: too many updates are
 * pending.
 */
export type WebhookTrouble = 'not_set' | 'elsewhere' | 'errors' | 'waiting' | ReasonCode

/** Null for a working webhook. `path`: path of the webhook's route; `since`: epoch milliseconds, earlier errors are ignored. */
export async function webhookTrouble(
  api: BotApi,
  { path, since }: { readonly path: string; readonly since: number },
): Promise<WebhookTrouble | null> {
  const info = await api.ask((bot) => bot.getWebhookInfo())
  if (!info.ok) return info.reason.code
  const { url = '', pending_update_count: pending, last_error_date: failed = 0 } = info.value
  if (url === '') return 'not_set'
  if (!url.endsWith(path)) return 'elsewhere'
  // An update that failed once and was then delivered is no fault.
  if (pending > 0 && failed * 1_000 >= since) return 'errors'
  return pending >= MOST_PENDING ? 'waiting' : null
}
