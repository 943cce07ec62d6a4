/**
 * The two tokens of the owner's Slack app, each for one request at a time (H-05): the app token only opens connections, the bot
 * token sends. Must not return a token of another app, or of a person. Called by home-app.ts and home.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { HomeWays, TokenCustodian } from '../runtime/home-package.ts'
import { SLACK_APP, SLACK_BOT } from './channel.ts'
import { appOf, isBotToken } from './token.ts'

export interface SlackTokens {
  readonly app: TokenCustodian
  readonly bot: TokenCustodian
  /** Slack's id of the stored app, which is not secret. Refusals: those of `TokenCustodian`. */
  whose(): Promise<Result<string>>
}

export function createSlackTokens(token: HomeWays['token']): SlackTokens {
  const app = token(SLACK_APP)
  return { app, bot: token(SLACK_BOT), whose: () => app.whose(appOf, 'app') }
}

/** Check of each token, which may be sent only to the configured service's host. */
export function askedOf(of: 'app' | 'bot', { host, app }: { readonly host: string; readonly app: string }) {
  return of === 'app'
    ? { host, rule: 'app', fits: (value: string) => appOf(value) === app }
    : { host, rule: 'bot', fits: isBotToken }
}
