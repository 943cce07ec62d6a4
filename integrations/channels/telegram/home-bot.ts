/**
 * The Bot API of home's Telegram bot, with a token that is unsealed for each request and dropped afterwards (H-04), and why home
 * receives nothing from it (H-03). Must not wait, retry, use another bot's token or quote Telegram. Called by home.ts, home-line.ts and
 * setup.ts.
 */
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import type { Transport } from '../../http/transport.ts'
import { withToken } from '../runtime/home-line.ts'
import type { TokenAsked, TokenCustodian } from '../runtime/home-package.ts'
import { type BotApi, type BotConnection, createBotApi } from './api.ts'
import { botOf, type TelegramConfig } from './channel.ts'

export interface BotInput {
  readonly config: TelegramConfig
  readonly token: TokenCustodian
  readonly transport: Transport
}

/** `onResult`: receives the result of each call. Refusals: those of `BotApi` and of the custodian. */
export function createHomeBot(
  { config, token, transport }: BotInput,
  limits: Pick<BotConnection, 'timeoutMs' | 'signal'> = {},
  onResult: (answer: Result<unknown>) => void = () => undefined,
): BotApi {
  const using = async <T>(ask: (api: BotApi) => Promise<Result<T>>): Promise<Result<T>> => {
    const answer = await withToken(token, tokenAsked(config), (value) =>
      ask(createBotApi({ token: value, origin: config.api, transport, ...limits })),
    )
    onResult(answer)
    return answer
  }
  return {
    ask: (call) => using((api) => api.ask(call)),
    download: (path, most) => using((api) => api.download(path, most)),
  }
}

/** Another bot has other chats and messages: this bot's stored ids would be taken for them. */
export function tokenAsked({ api, bot }: Pick<TelegramConfig, 'api' | 'bot'>): TokenAsked {
  return { host: new URL(api).host, fits: (value) => value.startsWith(`${bot}:`), rule: 'bot' }
}

/** Telegram's id of the stored bot, which is not secret. Refusals: those of the custodian. */
export function whoseToken(token: Pick<TokenCustodian, 'whose'>): Promise<Result<number>> {
  return token.whose((value) => {
    const bot = Number(botOf(value))
    return Number.isSafeInteger(bot) ? bot : null
  }, 'bot')
}

/** The bot's updates are delivered elsewhere: a retry will not help. */
export function isConflict({ code, facts }: Refusal): boolean {
  return code === 'remote_rejected' && (facts['why'] === 'webhook' || facts['why'] === 'polled')
}

/** The fault in a sentence for the owner. */
export function troubleWords(trouble: Refusal): string {
  if (!isConflict(trouble)) return wordsFor(trouble.code)
  return trouble.facts['why'] === 'webhook'
    ? 'That bot has a webhook, and a bot has a webhook or is asked, never both. Your line at the edge and your private line each need a bot of their own.'
    : 'Another program asks that bot for its messages, and only one can. If it is your home: stop home first.'
}
