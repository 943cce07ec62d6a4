/**
 * The Bot API of home's Telegram bot, with a token that is unsealed for each request and dropped afterwards. Must not wait or
 * retry; the caller does. Called by home-chat.ts, home-line.ts and home.ts.
 */

import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Transport } from '../../http/transport.ts'
import { type BotApi, type BotConnection, createBotApi } from './api.ts'
import type { TelegramConfig } from './channel.ts'
import type { BotToken } from './home-token.ts'

export interface BotInput {
  readonly config: TelegramConfig
  readonly token: BotToken
  readonly transport: Transport
}

/** `fared`: receives the result of each call. Refusals: those of `BotApi` and of `BotToken.issue`. */
export function createHomeBot(
  { config, token, transport }: BotInput,
  limits: Pick<BotConnection, 'timeoutMs' | 'signal'> = {},
  fared: (answer: Result<unknown>) => void = () => undefined,
): BotApi {
  const { bot, api: origin } = config
  const { host } = new URL(origin)
  const using = async <T>(ask: (api: BotApi) => Promise<Result<T>>): Promise<Result<T>> => {
    const issued = await token.issue({ host, bot })
    if (!issued.ok) return issued
    const { value, version } = issued.value
    const answer = await ask(createBotApi({ token: value, origin, transport, ...limits }))
    if (answer.ok) token.settle(version, 'accepted')
    else if (answer.reason.code === 'credential_rejected') token.settle(version, 'rejected')
    fared(answer)
    return answer
  }
  return {
    call: (method, args) => using((api) => api.call(method, args)),
    sendDocument: (document) => using((api) => api.sendDocument(document)),
    download: (path, most) => using((api) => api.download(path, most)),
  }
}
