/**
 * The token of the owner's bot at Telegram, for one request at a time (H-04). Must not be given for another bot's. Called by home.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { IssuedToken, TokenCustodian } from '../runtime/home-package.ts'
import { botOf } from './token.ts'

export interface BotToken extends Pick<TokenCustodian, 'settle'> {
  /** For one request. Refusals: those of `TokenCustodian`. */
  issue(asked: { readonly host: string; readonly bot: number }): Promise<Result<IssuedToken>>
  /** Of which bot there is one: Telegram's id, which is no secret. Refusals: as above. */
  whose(): Promise<Result<number>>
}

export function createBotToken(custodian: TokenCustodian): BotToken {
  return {
    // Another bot's chats and messages are others: what is remembered of this one's would be taken for them.
    issue: ({ host, bot }) =>
      custodian.issue({ host, fits: (value) => value.startsWith(`${bot}:`), rule: 'bot' }),
    whose: () => custodian.whose(botIn, 'bot'),
    settle: custodian.settle,
  }
}

function botIn(token: string): number | null {
  const bot = Number(botOf(token))
  return Number.isSafeInteger(bot) ? bot : null
}
