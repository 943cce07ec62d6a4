/**
 * The two tokens of the owner's app at Slack, each for one request at a time (H-05): the app's own, which only opens connections, and
 * its bot's, which writes. Must not give one for another app's, or a token of a person's. Called by slack/slack-app.ts.
 */
import { SLACK_APP, SLACK_BOT } from '../../integrations/channels/slack/adapter.ts'
import { appOf, isBotToken } from '../../integrations/channels/slack/token.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createTokenCustodian, type TokenCustodian, type TokenInput } from './channel-token.ts'

/** What the scope of both names as its tool; each is asked for by its own name. */
export const SLACK_TOOL = 'channel.slack'
export const SLACK_SECRETS = Object.freeze({ app: SLACK_APP, bot: SLACK_BOT } as const)

export interface SlackTokens {
  readonly app: TokenCustodian
  readonly bot: TokenCustodian
  /** Of which app there is one: Slack's id, which is no secret. Refusals: those of the vault, credential_mismatch. */
  whose(): Promise<Result<string>>
}

export function createSlackTokens(input: TokenInput): SlackTokens {
  return {
    app: createTokenCustodian(input, { secret: SLACK_APP, tool: SLACK_TOOL }),
    bot: createTokenCustodian(input, { secret: SLACK_BOT, tool: SLACK_TOOL }),
    async whose() {
      const plain = await input.secrets.unseal(SLACK_APP)
      if (!plain.ok) return plain
      const app = appOf(new TextDecoder().decode(plain.value.bytes))
      plain.value.bytes.fill(0)
      return app === null ? err('credential_mismatch', { credential: SLACK_APP, rule: 'app' }) : ok(app)
    },
  }
}

/** What may be given for each, at the host of the configured service. */
export function askedOf(of: 'app' | 'bot', { host, app }: { readonly host: string; readonly app: string }) {
  return of === 'app'
    ? { host, rule: 'app', fits: (value: string) => appOf(value) === app }
    : { host, rule: 'bot', fits: isBotToken }
}
