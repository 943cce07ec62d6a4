/**
 * The owner's chat with home's bot, as home writes to it: one sink, one chat, stored message ids, and fetched attachments (DESIGN
 * §1). Must not write to any other chat. Called by home.ts, which passes its ports to home.
 */
import type { FilePort } from '../../../kernel/features/files/file-port.ts'
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import { type BotLine, createBotLine } from '../runtime/bot-line.ts'
import { createCardDesk } from '../runtime/cards.ts'
import type { FileReaders } from '../runtime/files.ts'
import { createShelf } from '../runtime/kept.ts'
import type { BotApi } from './api.ts'
import { TELEGRAM, TELEGRAM_PRIVATE } from './channel.ts'
import { createTelegramFiles } from './files.ts'
import { type BotInput, createHomeBot } from './home-bot.ts'
import type { TelegramStore } from './home-store.ts'
import { createProgress, createTelegramSender } from './sender.ts'

export interface PrivateBot {
  readonly api: BotApi
  readonly sender: SenderPort
  readonly files: FilePort
  readonly input: BotInput
  readonly store: TelegramStore
  /** 32 bytes: key of the buttons' MAC. */
  readonly key: Uint8Array
  readonly line: BotLine
}

/** `readers`: for binary files; a file without a reader is not fetched. */
export function createPrivateBot(
  input: BotInput,
  { store, key }: Pick<PrivateBot, 'store' | 'key'>,
  readers: FileReaders = {},
): PrivateBot {
  const line = createBotLine()
  const api = createHomeBot(input, {}, (answer) => line.fared(answer))
  const { owner } = input.config
  const { kept } = store
  const chatOf = (sink: string): number | null => (sink === TELEGRAM_PRIVATE.sink ? owner : null)
  const shelf = createShelf(kept, TELEGRAM)
  const progress = createProgress({ api, kept, shelf, chatOf })
  const cards = createCardDesk({ kept, channel: TELEGRAM }, key)
  const sender = createTelegramSender({ api, shelf, cards, progress, chatOf })
  const files = createTelegramFiles({ ...readers, api, holds: (sink) => chatOf(sink) !== null })
  return { api, sender, files, input, store, key, line }
}
