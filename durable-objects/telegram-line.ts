/**
 * The edge's bot for one principal's object: which chats it may write to, and what it has sent. Must not be given a chat by
 * anything but a sink's name. Called by powers.ts and by the Worker's route.
 */

import { createCardDesk } from '../integrations/channels/runtime/cards.ts'
import type { FileReaders } from '../integrations/channels/runtime/files.ts'
import { createShelf } from '../integrations/channels/runtime/kept.ts'
import { type BotApi, createBotApi } from '../integrations/channels/telegram/api.ts'
import { TELEGRAM, TELEGRAM_OPEN } from '../integrations/channels/telegram/channel.ts'
import { createTelegramFiles } from '../integrations/channels/telegram/files.ts'
import { webhookTrouble } from '../integrations/channels/telegram/health.ts'
import { keepMenu, menuFor } from '../integrations/channels/telegram/menu.ts'
import { createProgress, createTelegramSender } from '../integrations/channels/telegram/sender.ts'
import { WEBHOOK_PATH } from '../integrations/channels/telegram/webhook.ts'
import type { FilePort } from '../kernel/powers/file-port.ts'
import type { SenderPort } from '../kernel/powers/ports.ts'
import { createFetchTransport } from '../worker/fetch-transport.ts'
import type { TelegramSetting } from '../worker/telegram-setting.ts'
import type { HealthInput } from './channel-health.ts'

export function telegramApi({ token, api }: TelegramSetting): BotApi {
  return createBotApi({ token, origin: api, transport: createFetchTransport() })
}

/** What is wrong with the bot's webhook since then; null where there is no bot. */
export function webhookCheck(setting: TelegramSetting | null): HealthInput['check'] {
  return setting === null
    ? null
    : (since) => webhookTrouble(telegramApi(setting), { path: WEBHOOK_PATH, since })
}

/** Null for sinks of other channels. `key`: what proves that a button was made here. */
export function telegramSenderOf(
  setting: TelegramSetting,
  kv: SyncKvStorage,
  key: Uint8Array,
): (sink: string) => SenderPort | null {
  const chatOf = (sink: string): number | null => chatBehind(sink, setting)
  const api = telegramApi(setting)
  const shelf = createShelf(kv, 'telegram')
  const progress = createProgress({ api, kept: kv, shelf, chatOf })
  const sender = createTelegramSender({
    api,
    shelf,
    cards: createCardDesk({ kept: kv, channel: TELEGRAM }, key),
    progress,
    chatOf,
  })
  return (sink) => {
    if (sink === TELEGRAM_OPEN.sink)
      void keepMenu(kv, menuFor(setting.owner, setting.commands, 'edge'), api).catch(() => undefined)
    return chatOf(sink) === null ? null : sender
  }
}

/** What is sent to the bot, fetched with its token. `readers`: of what is no text. */
export function telegramFilesOf(setting: TelegramSetting, readers: FileReaders): FilePort {
  const held = {
    api: telegramApi(setting),
    holds: (sink: string) => chatBehind(sink, setting) !== null,
  }
  return createTelegramFiles({ ...held, ...readers })
}

/** A stranger's chat is named by Telegram's own id, a group's is below zero. */
export function chatBehind(sink: string, { owner }: Pick<TelegramSetting, 'owner'>): number | null {
  if (sink === TELEGRAM_OPEN.sink) return owner
  const id = new RegExp(`^sink:${TELEGRAM}:(-?[1-9][0-9]{0,15})$`).exec(sink)?.[1]
  return id === undefined ? null : Number(id)
}
