/**
 * The owner's bot at home as a chat that is activated by conversation (H-03, H-13): its token is checked with `getMe`, whoever
 * sends the code is the owner, and long polling runs while home does. `config.toml` then names the bot. Must not remove a webhook:
 * a bot with one serves another line. Listed in ../home.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { Transport } from '../../http/transport.ts'
import { pauseAfter } from '../runtime/backoff.ts'
import { byHand, type TableFile, toolOf } from '../runtime/declaration.ts'
import type { Activatable, HomePackage, HomeWays } from '../runtime/home-package.ts'
import { createLiveChat, type LiveChat } from '../runtime/live-chat.ts'
import { type BotApi, createBotApi } from './api.ts'
import {
  TELEGRAM,
  TELEGRAM_CHANNEL,
  TELEGRAM_PRIVATE,
  type TelegramConfig,
  telegramConfig,
} from './channel.ts'
import { createHomeBot } from './home-bot.ts'
import type { PrivateBot } from './home-chat.ts'
import { hearCode } from './home-owner.ts'
import { createTelegramStore, type TelegramStore } from './home-store.ts'
import { type BotToken, createBotToken } from './home-token.ts'
import { isConflict, troubleWords } from './home-trouble.ts'
import { botOf } from './token.ts'

export const TELEGRAM_HOME: HomePackage = Object.freeze({
  declaration: TELEGRAM_CHANNEL,
  setup: async () => (await import('./setup.ts')).SETUP,
  edgeSetup: async () => (await import('./setup-edge.ts')).EDGE_SETUP,
  async open(ways: HomeWays, table: Parameters<HomePackage['open']>[1]) {
    const { transport, database, key, readers, diskRefusal, now } = ways
    const token = createBotToken(ways.token(TELEGRAM))
    const store = createTelegramStore(database)
    // A chat's code is loaded only when it is configured.
    const make = async (config: TelegramConfig): Promise<PrivateBot> => {
      const { createPrivateBot } = await import('./home-chat.ts')
      return createPrivateBot({ config, token, transport }, { store, key }, readers)
    }
    const start = async (bot: PrivateBot) => {
      const { startPrivateLine } = await import('./home-line.ts')
      return startPrivateLine({ ...ways.line(), bot, diskRefusal })
    }
    const config = table === null ? null : telegramConfig(table)
    const live = await createLiveChat({ name: TELEGRAM, make, start }, config)
    return {
      ...live,
      declaration: TELEGRAM_CHANNEL,
      owner() {
        const bot = live.now()
        return bot === null ? null : `${TELEGRAM}:${bot.input.config.owner}`
      },
      set: (next) => live.set(next === null ? null : telegramConfig(next)),
      activation: createTelegramChannel({
        ...{ origin: ways.origin, transport, token, live, store, now, table: ways.table },
        isPassing: ways.isPassing,
      }),
    }
  },
} satisfies HomePackage)

/** Milliseconds for a long-polling request. */
const ASK_WITHIN = 20_000

export type LiveBot = LiveChat<TelegramConfig, PrivateBot>

export interface TelegramChannelInput {
  /** Origin of the Bot API. */
  readonly origin: string
  readonly transport: Transport
  readonly token: BotToken
  readonly live: LiveBot
  readonly store: Pick<TelegramStore, 'startOver'>
  readonly table: TableFile
  readonly now: () => number
  readonly isPassing: (code: ReasonCode) => boolean
}

const me = z.object({ username: z.string() })

export function createTelegramChannel(input: TelegramChannelInput): Activatable {
  const { origin, transport, token, live, table, isPassing } = input
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
    adapter: TELEGRAM_CHANNEL,
    sink: TELEGRAM_PRIVATE.sink,
    scope: { tools: [toolOf(TELEGRAM_CHANNEL)], hosts: [new URL(origin).host] },
    isActive: () => live.now() !== null,
    async check(_service, value) {
      const known = live.now()?.input.config
      // The stored state belongs to another bot: a configured bot accepts only its own token.
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
      const found = await heard(bot.value.api, { code, signal, isPassing })
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const telegram = { owner: found.value.owner, bot: bot.value.bot, api: origin }
      if (!table.write({ ...telegram })) return err('config_malformed', { key: TELEGRAM })
      // State stored for another bot's chat is invalid here, and the code is not a message.
      input.store.startOver(found.value.next, input.now())
      await live.set(telegram)
      return ok(true)
    },
    async leave() {
      const config = live.now()?.input.config
      await live.set(null)
      return config === undefined || table.remove({ ...config })
        ? null
        : byHand(TELEGRAM_CHANNEL, { ...config })
    },
    trouble: (refusal) => (isConflict(refusal) ? troubleWords(refusal) : null),
  }
}

/** `free`: this home does not poll that bot now, so that another poller is detected. */
async function nameOf(api: Pick<BotApi, 'call'>, free: boolean): Promise<Result<string>> {
  const answer = await api.call('getMe', undefined)
  if (!answer.ok) return answer
  const bot = z.safeParse(me, answer.value)
  if (!bot.success) return err('remote_rejected', { why: 'answer' })
  const asked = free ? await api.call('getUpdates', { timeout: 0, limit: 1 }) : ok(true)
  return asked.ok ? ok(`@${bot.data.username}`) : asked
}

/** Retries temporary faults. Null when it was aborted. */
async function heard(
  api: BotApi,
  {
    code,
    signal,
    isPassing,
  }: { readonly code: string; readonly signal: AbortSignal } & Pick<HomeWays, 'isPassing'>,
): Promise<ReturnType<typeof hearCode>> {
  for (let failures = 1; ; failures += 1) {
    const found = await hearCode(api, code, signal)
    if (signal.aborted) return ok(null)
    if (found.ok || !isPassing(found.reason.code)) return found
    const { retryAfter } = found.reason.facts
    const wait = pauseAfter(failures, Math.random(), typeof retryAfter === 'number' ? retryAfter : null)
    await pause(wait, undefined, { signal }).catch(() => undefined)
  }
}
