/**
 * The two tokens of the owner's app at Slack, each for one request at a time (H-05): the app's own, which only opens connections, and
 * its bot's, which writes. Must not give one for another app's, or a token of a person's. Called by home-app.ts and home.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { HomeWays, TokenCustodian } from '../runtime/home-package.ts'
import { SLACK_APP, SLACK_BOT } from './channel.ts'
import { appOf, isBotToken } from './token.ts'

export interface SlackTokens {
  readonly app: TokenCustodian
  readonly bot: TokenCustodian
  /** Of which app there is one: Slack's id, which is no secret. Refusals: those of `TokenCustodian`. */
  whose(): Promise<Result<string>>
}

export function createSlackTokens(token: HomeWays['token']): SlackTokens {
  const app = token(SLACK_APP)
  return { app, bot: token(SLACK_BOT), whose: () => app.whose(appOf, 'app') }
}

/** What may be given for each, at the host of the configured service. */
export function askedOf(of: 'app' | 'bot', { host, app }: { readonly host: string; readonly app: string }) {
  return of === 'app'
    ? { host, rule: 'app', fits: (value: string) => appOf(value) === app }
    : { host, rule: 'bot', fits: isBotToken }
}
