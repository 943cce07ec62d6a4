/**
 * Declaration of the Telegram channel: one bot of the owner at the edge, another at home. Called by both places, and by the files
 * of this folder.
 */
import * as z from 'zod/mini'
import { type ChannelDeclaration, type ChannelTable, ORIGIN } from '../runtime/declaration.ts'

/** Name of the adapter in sources, sinks and templates, and of its secret. */
export const TELEGRAM = 'telegram'

export const TELEGRAM_ORIGIN = 'https://api.telegram.org'

/** The owner's private chats with the edge's bot and with home's. */
export const TELEGRAM_OPEN = Object.freeze({ chat: 'open', sink: `sink:${TELEGRAM}:open` })
export const TELEGRAM_PRIVATE = Object.freeze({ chat: 'private', sink: `sink:${TELEGRAM}:private` })

/** Path of the edge's webhook. */
export const WEBHOOK_PATH = '/telegram/open'

/** Header in which Telegram sends the webhook's secret with each update. */
export const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** Update types asked for (`allowed_updates`), by webhook and by polling. */
export const UPDATE_KINDS = Object.freeze(['message', 'edited_message', 'callback_query'] as const)

const id = z.int().check(z.positive())
/** Telegram's ids of the owner and of the bot, and the origin of the Bot API. */
const settings = z.strictObject({ owner: id, bot: id, api: z._default(ORIGIN, TELEGRAM_ORIGIN) })

/** The owner's bot at home: identifies the private chat that is the private line. The token is not part of it; it is in the vault. */
export type TelegramConfig = Readonly<z.infer<typeof settings>>

/** `<bot id>:<35 characters>`, as @BotFather issues them. */
const TOKEN = '[0-9]{1,20}:[A-Za-z0-9_-]{30,100}'

export const TELEGRAM_CHANNEL: ChannelDeclaration = Object.freeze({
  name: TELEGRAM,
  title: 'Telegram',
  means: 'a bot of yours',
  offer:
    'Shall a bot of yours at Telegram bring what you write? @BotFather makes one and gives you its token.',
  origin: TELEGRAM_ORIGIN,
  fetches: true,
  home: TELEGRAM_PRIVATE,
  edge: TELEGRAM_OPEN,
  settings,
  needs: [
    {
      service: TELEGRAM,
      title: 'Telegram',
      where:
        'Open @BotFather in Telegram, send it /newbot, and choose a name: it answers with the token of a new bot, digits, a colon and letters. It must be a bot of its own, not the one of your edge.',
      shape: TOKEN,
    },
  ],
  prove: 'Now send this, from your own account, to',
})

/** Parses a table that was checked before. Throws on any other. */
export function telegramConfig(table: ChannelTable): TelegramConfig {
  return z.parse(settings, table)
}

export function isBotToken(text: string): boolean {
  return new RegExp(`^${TOKEN}$`).test(text)
}

/** Telegram's id of the bot that a token belongs to, which is not secret. */
export function botOf(token: string): string {
  return token.slice(0, token.indexOf(':'))
}
