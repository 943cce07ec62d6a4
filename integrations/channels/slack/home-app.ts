/**
 * Web API of home's Slack app, called with one of its two tokens, which is unsealed per request and dropped
 * afterwards (H-05): the app token opens connections, the bot token sends. Also words the reason why home
 * receives nothing from Slack. Must not wait, retry, use a token of another app or of a person, or quote
 * Slack's answer. Called by home.ts, home-line.ts, home-owner.ts and setup.ts.
 */
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import type { Transport } from '../../http/transport.ts'
import { withToken } from '../runtime/home-line.ts'
import type { TokenAsked, TokenCustodian } from '../runtime/home-package.ts'
import { createSlackApi, type SlackApi } from './api.ts'
import { appOf, isBotToken, type SlackConfig } from './channel.ts'
import { SWITCHED_OFF } from './home-socket.ts'

export interface SlackTokens {
  readonly app: TokenCustodian
  readonly bot: TokenCustodian
}

export interface SlackAppInput {
  readonly config: SlackConfig
  readonly tokens: SlackTokens
  readonly transport: Transport
}

/**
 * `of`: which of the two tokens to send. `onResult`: receives the result of each call. Refusals: those of
 * `SlackApi` and of the custodian.
 */
export function createHomeSlack(
  { config, tokens, transport }: SlackAppInput,
  of: keyof SlackTokens,
  signal?: AbortSignal,
  onResult: (answer: Result<unknown>) => void = () => undefined,
): SlackApi {
  const { api: origin } = config
  return {
    async call(method, args) {
      const answer = await withToken(tokens[of], tokenAsked(of, config), (token) =>
        createSlackApi({ token, origin, transport, ...(signal && { signal }) }).call(method, args),
      )
      onResult(answer)
      return answer
    },
  }
}

/**
 * How a prompt for a credential recognises each token, which is sent only to the host of the configured
 * service.
 */
export function tokenAsked(
  of: keyof SlackTokens,
  { api, app }: Pick<SlackConfig, 'api' | 'app'>,
): TokenAsked {
  const { host } = new URL(api)
  return of === 'app'
    ? { host, rule: 'app', fits: (value) => appOf(value) === app }
    : { host, rule: 'bot', fits: isBotToken }
}

const SENTENCES: Readonly<Record<string, string>> = {
  [SWITCHED_OFF]: 'Socket Mode is switched off for that app. It is a switch in the settings of the app.',
  scope:
    'Slack does not let the app do that. Its own token needs connections:write; its bot needs chat:write and im:history, and the app must be installed again after a change.',
  chat: 'Slack does not know that chat for this app. `pfar channel disconnect slack`, then `pfar channel connect slack`, finds it anew.',
}

/** Whether only the owner can fix the fault, so a retry would not help. */
export function isSetUpWrongly({ code, facts }: Refusal): boolean {
  return code === 'credential_mismatch' || (code === 'remote_rejected' && String(facts['why']) in SENTENCES)
}

export function slackTroubleWords(trouble: Refusal): string {
  const own = trouble.code === 'remote_rejected' ? SENTENCES[String(trouble.facts['why'])] : undefined
  return own ?? wordsFor(trouble.code)
}
