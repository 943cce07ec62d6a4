/**
 * The owner's bot at home as a chat that he activates by saying so (H-03, H-13): its token is tried with `getMe`, he is who sends the code, and
 * long polling begins while home runs. `config.toml` says whose bot it is from then on. Must not take a webhook off: the bot that has one
 * is another line. Called by channel-desk.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { TELEGRAM_ADAPTER } from '../../integrations/channels/telegram/adapter.ts'
import { type BotApi, createBotApi } from '../../integrations/channels/telegram/api.ts'
import { botOf } from '../../integrations/channels/telegram/token.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isPassing } from '../../kernel/pipeline/waiting-line.ts'
import { pauseAfter } from '../channel-backoff.ts'
import type { HomeChannel } from '../channels/home-channel.ts'
import type { LiveChat } from '../channels/live-chat.ts'
import { hearCode } from '../deploy/bot-owner.ts'
import { clearTelegramSetting, telegramLines, writeTelegramSetting } from '../deploy/telegram-setting.ts'
import { BOT_TOOL, type BotToken } from '../secrets/bot-token.ts'
import { createHomeBot } from './bot.ts'
import type { PrivateBot } from './private-bot.ts'
import { TELEGRAM_PRIVATE, type TelegramConfig } from './telegram-config.ts'
import type { TelegramStore } from './telegram-store.ts'
import { isConflict, troubleWords } from './trouble.ts'

/** Milliseconds for a question that Telegram holds a while. */
const ASK_WITHIN = 20_000

export type LiveBot = LiveChat<TelegramConfig, PrivateBot>

export interface TelegramChannelInput {
  /** Origin of the Bot API. */
  readonly origin: string
  readonly transport: Transport
  readonly token: BotToken
  readonly live: LiveBot
  readonly store: Pick<TelegramStore, 'startOver'>
  /** Of `config.toml`. */
  readonly configPath: string
  readonly now: () => number
}

const me = z.object({ username: z.string() })

export function createTelegramChannel(input: TelegramChannelInput): HomeChannel {
  const { origin, transport, token, live } = input
  const stored = async (
    signal?: AbortSignal,
  ): Promise<Result<{ readonly api: BotApi; readonly bot: number }>> => {
    const bot = await token.whose()
    if (!bot.ok) return bot
    const config = { owner: 0, bot: bot.value, api: origin }
    const limits = { timeoutMs: ASK_WITHIN, ...(signal && { signal }) }
    return ok({ api: createHomeBot({ config, token, transport }, limits), bot: bot.value })
  }
  return {
    adapter: TELEGRAM_ADAPTER,
    sink: TELEGRAM_PRIVATE.sink,
    scope: { tools: [BOT_TOOL], hosts: [new URL(origin).host] },
    isActive: () => live.now() !== null,
    async check(_service, value) {
      const known = live.now()?.input.config
      // What stands in its chat is another bot's: a configuration that names one takes that one's token alone.
      if (known !== undefined && String(known.bot) !== botOf(value))
        return err('credential_mismatch', { rule: 'bot' })
      return nameOf(createBotApi({ token: value, origin, transport }), live.now() === null)
    },
    async account() {
      const bot = await stored()
      return bot.ok ? nameOf(bot.value.api, live.now() === null) : bot
    },
    async find(code, signal) {
      const bot = await stored(signal)
      if (!bot.ok) return bot
      const found = await heard(bot.value.api, code, signal)
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const telegram = { owner: found.value.owner, bot: bot.value.bot, api: origin }
      if (!writeTelegramSetting(input.configPath, telegram))
        return err('config_malformed', { key: 'telegram' })
      // What was remembered of another bot's chat is nothing here, and the code is no message of his.
      input.store.startOver(found.value.next, input.now())
      await live.set(telegram)
      return ok(true)
    },
    async leave() {
      const config = live.now()?.input.config
      await live.set(null)
      return config === undefined || clearTelegramSetting(input.configPath, config)
        ? null
        : `take these lines out of config.toml: ${telegramLines(config).replaceAll('\n', ' ')}`
    },
    trouble: (refusal) => (isConflict(refusal) ? troubleWords(refusal) : null),
  }
}

/** `free`: nobody of this home asks that bot for its messages now, so that whoever does is told of. */
async function nameOf(api: Pick<BotApi, 'call'>, free: boolean): Promise<Result<string>> {
  const answer = await api.call('getMe', undefined)
  if (!answer.ok) return answer
  const bot = z.safeParse(me, answer.value)
  if (!bot.success) return err('remote_rejected', { why: 'answer' })
  const asked = free ? await api.call('getUpdates', { timeout: 0, limit: 1 }) : ok(true)
  return asked.ok ? ok(`@${bot.data.username}`) : asked
}

/** What passes by itself is waited for. Null where it was broken off. */
async function heard(api: BotApi, code: string, signal: AbortSignal): Promise<ReturnType<typeof hearCode>> {
  for (let failures = 1; ; failures += 1) {
    const found = await hearCode(api, code, signal)
    if (signal.aborted) return ok(null)
    if (found.ok || !isPassing(found.reason.code)) return found
    const { retryAfter } = found.reason.facts
    const wait = pauseAfter(failures, Math.random(), typeof retryAfter === 'number' ? retryAfter : null)
    await pause(wait, undefined, { signal }).catch(() => undefined)
  }
}
