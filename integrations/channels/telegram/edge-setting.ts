/**
 * Settings of the edge's Telegram bot: a variable that names its owner, and two secrets, the bot token and the webhook secret. An
 * invalid setting disables the channel, not the edge. Must not report a value. Called by edge.ts.
 */
import * as z from 'zod/mini'
import { parseJson } from '../../../kernel/flow/json.ts'
import { OWN_COMMANDS_ENTRY, type OwnCommandEntry } from '../../../kernel/task/command.ts'
import { isBotToken, TELEGRAM_ORIGIN } from './channel.ts'

export interface TelegramSetting {
  /** Telegram's id of the owner. */
  readonly owner: number
  /** `answer`: anybody who writes to the bot may ask for a meeting time; `silent`: only the owner and known people get an answer. */
  readonly strangers: 'silent' | 'answer'
  /** Origin of the Bot API. */
  readonly api: string
  /** Origin of this edge, for links to its one-time pages (L-15); without it there are no such pages. */
  readonly edge?: string | undefined
  /** Commands defined by the owner that the edge may know (O-21). */
  readonly commands: readonly OwnCommandEntry[]
  readonly token: string
  /** Value of `X-Telegram-Bot-Api-Secret-Token`, as passed to `setWebhook`. */
  readonly secret: string
}

interface EdgeTelegram {
  readonly setting: TelegramSetting | null
  /** Name of the invalid setting; there is then no bot. */
  readonly trouble: string | null
}

const schema = z.strictObject({
  owner: z.int().check(z.positive()),
  strangers: z._default(z.enum(['silent', 'answer']), 'silent'),
  api: z._default(z.string().check(z.regex(/^https?:\/\/[^/?#@\s]{1,255}$/)), TELEGRAM_ORIGIN),
  // Browsers offer WebCrypto only to pages from https or localhost.
  edge: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(?:https:\/\/[^/?#@\s]{1,255}|http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?)$/,
        ),
      ),
  ),
  commands: z._default(OWN_COMMANDS_ENTRY, []),
})

/** Telegram accepts 1 to 256 of these characters; fewer than 32 could be guessed. */
const SECRET = /^[A-Za-z0-9_-]{32,256}$/

/** `env`: the bindings; `TELEGRAM` may be JSON text or already decoded. */
export function edgeTelegram(env: Readonly<Record<string, unknown>>): EdgeTelegram {
  const { TELEGRAM: setting, TELEGRAM_TOKEN: token, TELEGRAM_SECRET: secret } = env
  if (setting === undefined || setting === '') return { setting: null, trouble: null }
  const parsed = z.safeParse(schema, typeof setting === 'string' ? parseJson(setting) : setting)
  if (!parsed.success)
    return troubled(['TELEGRAM', ...(parsed.error.issues[0]?.path ?? []).map(String)].join('.'))
  if (typeof token !== 'string' || !isBotToken(token)) return troubled('TELEGRAM_TOKEN')
  if (typeof secret !== 'string' || !SECRET.test(secret)) return troubled('TELEGRAM_SECRET')
  return { setting: { ...parsed.data, token, secret }, trouble: null }
}

function troubled(trouble: string): EdgeTelegram {
  return { setting: null, trouble }
}
