/**
 * The owner's bot at home as `config.toml` names it: whose chat with which bot is his private line. The token is no part of it; it
 * lies in the vault. Called by config.ts and the files of this folder.
 */
import * as z from 'zod/mini'
import { TELEGRAM, TELEGRAM_ORIGIN } from '../../integrations/channels/telegram/names.ts'

export interface TelegramConfig {
  /** Telegram's id of the owner. */
  readonly owner: number
  /** Telegram's id of the bot: what its token begins with. */
  readonly bot: number
  /** Origin of the Bot API. */
  readonly api: string
}

/** What the owner's private chat with home's bot is called. */
export const TELEGRAM_PRIVATE = Object.freeze({ chat: 'private', sink: `sink:${TELEGRAM}:private` })

const id = z.int().check(z.positive())

const origin = z.string().check(
  z.refine((value) => URL.parse(value)?.origin === value, {
    error: 'must be an origin, such as https://example.com',
  }),
)

export const telegramSchema = z.strictObject({ owner: id, bot: id, api: z.optional(origin) })

export function telegramConfig(entry: z.output<typeof telegramSchema> | undefined): TelegramConfig | null {
  if (entry === undefined) return null
  return { owner: entry.owner, bot: entry.bot, api: entry.api ?? TELEGRAM_ORIGIN }
}
