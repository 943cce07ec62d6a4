/**
 * The owner's bot at home as a chat that is activated by conversation (H-03, H-13): its token is checked with `getMe`, whoever
 * sends the code is the owner, and long polling runs while home does. `config.toml` then names the bot. Must not remove a webhook:
 * a bot with one serves another line. Listed in ../home.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { Transport } from '../../http/transport.ts'
import { pauseAfter } from '../runtime/backoff.ts'
import type { TableFile } from '../runtime/declaration.ts'
import { type HomeChannelInput, type LiveChat, openHomeChannel } from '../runtime/home-line.ts'
import type { HomeChannelPorts, HomePackage, TokenCustodian } from '../runtime/home-package.ts'
import { type BotApi, createBotApi } from './api.ts'
import { botOf, TELEGRAM, TELEGRAM_CHANNEL, type TelegramConfig, telegramConfig } from './channel.ts'
import { createHomeBot, isConflict, troubleWords, whoseToken } from './home-bot.ts'
import type { PrivateBot } from './home-line.ts'
import { waitForCode } from './home-owner.ts'
import { createTelegramStore, type TelegramStore } from './home-store.ts'

export const TELEGRAM_HOME: HomePackage = Object.freeze({
  declaration: TELEGRAM_CHANNEL,
  setup: async () => (await import('./setup.ts')).SETUP,
  edgeSetup: async () => (await import('./setup.ts')).EDGE_SETUP,
  open(ports: HomeChannelPorts, table: Parameters<HomePackage['open']>[1]) {
    const { origin, transport, database, key, readers, diskRefusal, now, isPassing } = ports
    const token = ports.token(TELEGRAM)
    const store = createTelegramStore(database)
    return openHomeChannel<TelegramConfig, PrivateBot>({
      declaration: TELEGRAM_CHANNEL,
      ports,
      table,
      parse: telegramConfig,
      ownerOf: ({ owner }) => `${TELEGRAM}:${owner}`,
      // A chat's code is loaded only when it is configured.
      async make(config) {
        const { createPrivateBot } = await import('./home-line.ts')
        return createPrivateBot({ config, token, transport }, { store, key }, readers)
      },
      async start(bot) {
        const { startPrivateLine } = await import('./home-line.ts')
        return startPrivateLine({ ...ports.line(), bot, diskRefusal })
      },
      activation: (live) =>
        createTelegramChannel({ origin, transport, token, live, store, table: ports.table, now, isPassing }),
    })
  },
} satisfies HomePackage)

/** Milliseconds for a long-polling request. */
const ASK_WITHIN = 20_000

export interface TelegramChannelInput {
  /** Origin of the Bot API. */
  readonly origin: string
  readonly transport: Transport
  readonly token: TokenCustodian
  readonly live: LiveChat<TelegramConfig>
  readonly store: Pick<TelegramStore, 'startOver'>
  readonly table: TableFile
  readonly now: () => number
  readonly isPassing: (code: ReasonCode) => boolean
}

export function createTelegramChannel(
  input: TelegramChannelInput,
): ReturnType<HomeChannelInput<TelegramConfig, PrivateBot>['activation']> {
  const { origin, transport, token, live, table, isPassing } = input
  const stored = async (
    signal?: AbortSignal,
  ): Promise<Result<{ readonly api: BotApi; readonly bot: number }>> => {
    const bot = await whoseToken(token)
    if (!bot.ok) return bot
    const config = { owner: 0, bot: bot.value, api: origin }
    const limits = { timeoutMs: ASK_WITHIN, ...(signal && { signal }) }
    return ok({ api: createHomeBot({ config, token, transport }, limits), bot: bot.value })
  }
  return {
    async check(_service, value) {
      const known = live.config()
      // The stored state belongs to another bot: a configured bot accepts only its own token.
      if (known !== null && String(known.bot) !== botOf(value))
        return err('credential_mismatch', { rule: 'bot' })
      return nameOf(createBotApi({ token: value, origin, transport }), known === null)
    },
    async account() {
      const bot = await stored()
      return bot.ok ? nameOf(bot.value.api, live.config() === null) : bot
    },
    async find(code, signal) {
      const bot = await stored(signal)
      if (!bot.ok) return bot
      const found = await heard(bot.value.api, { code, signal, isPassing })
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const telegram = { owner: found.value.owner, bot: bot.value.bot, api: origin }
      if (!table.write(telegram)) return err('config_malformed', { key: TELEGRAM })
      // State stored for another bot's chat is invalid here, and the code is not a message.
      input.store.startOver(found.value.next, input.now())
      await live.set(telegram)
      return ok(true)
    },
    trouble: (refusal) => (isConflict(refusal) ? troubleWords(refusal) : null),
  }
}

/** `free`: this home does not poll that bot now, so that another poller is detected. */
async function nameOf(api: Pick<BotApi, 'ask'>, free: boolean): Promise<Result<string>> {
  const bot = await api.ask((telegram) => telegram.getMe())
  if (!bot.ok) return bot
  const asked = free ? await api.ask((telegram) => telegram.getUpdates({ timeout: 0, limit: 1 })) : bot
  return asked.ok ? ok(`@${bot.value.username}`) : asked
}

/** Retries temporary faults. Null when it was aborted. */
async function heard(
  api: BotApi,
  {
    code,
    signal,
    isPassing,
  }: { readonly code: string; readonly signal: AbortSignal } & Pick<HomeChannelPorts, 'isPassing'>,
): Promise<ReturnType<typeof waitForCode>> {
  for (let failures = 1; ; failures += 1) {
    const found = await waitForCode(api, code, signal)
    if (signal.aborted) return ok(null)
    if (found.ok || !isPassing(found.reason.code)) return found
    const { retryAfter } = found.reason.facts
    const wait = pauseAfter(failures, Math.random(), typeof retryAfter === 'number' ? retryAfter : null)
    await pause(wait, undefined, { signal }).catch(() => undefined)
  }
}
