/**
 * The owner's chat with home's bot, as home writes to it: one sink, one chat, what stands there is remembered, and what he sends along
 * is fetched (DESIGN §1). Must not write to any other chat. Called by wiring.ts, which hands its ports to the powers.
 */

import { createShelf } from '../../integrations/channels/kept.ts'
import type { BotApi } from '../../integrations/channels/telegram/api.ts'
import { createCards } from '../../integrations/channels/telegram/cards.ts'
import { createTelegramFiles, type TelegramFilesInput } from '../../integrations/channels/telegram/files.ts'
import { createPictureFetch } from '../../integrations/channels/telegram/pictures.ts'
import { createProgress } from '../../integrations/channels/telegram/progress.ts'
import { createTelegramSender } from '../../integrations/channels/telegram/sender.ts'
import type { FilePort } from '../../kernel/powers/file-port.ts'
import type { SenderPort } from '../../kernel/powers/ports.ts'
import { type BotLine, createBotLine } from '../channels/bot-line.ts'
import { type BotInput, createHomeBot } from './bot.ts'
import { TELEGRAM_PRIVATE } from './telegram-config.ts'
import type { TelegramStore } from './telegram-store.ts'

export interface PrivateBot {
  readonly api: BotApi
  readonly sender: SenderPort
  readonly files: FilePort
  readonly input: BotInput
  readonly store: TelegramStore
  /** Proves that a button was made here. */
  readonly key: Uint8Array
  readonly line: BotLine
}

/** `readers`: of files that are no text; without one such a file is not fetched. */
export function createPrivateBot(
  input: BotInput,
  { store, key }: Pick<PrivateBot, 'store' | 'key'>,
  readers: Pick<TelegramFilesInput, 'pdf' | 'sound'> = {},
): PrivateBot {
  const line = createBotLine()
  const api = createHomeBot(input, {}, (answer) => line.fared(answer))
  const { owner } = input.config
  const chatOf = (sink: string): number | null => (sink === TELEGRAM_PRIVATE.sink ? owner : null)
  const shelf = createShelf(store.kept, 'telegram')
  const progress = createProgress({ api, kept: store.kept, shelf, chatOf })
  const sender = createTelegramSender({ api, shelf, cards: createCards(store.kept, key), progress, chatOf })
  const held = { api, holds: (sink: string) => chatOf(sink) !== null }
  const files = { ...createTelegramFiles({ ...held, ...readers }), picture: createPictureFetch(held) }
  return { api, sender, files, input, store, key, line }
}
