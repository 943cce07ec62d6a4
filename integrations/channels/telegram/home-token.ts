/**
 * The token of the owner's Telegram bot, for one request at a time (H-04). Must not return another bot's token. Called by home.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { IssuedToken, TokenCustodian } from '../runtime/home-package.ts'
import { botOf } from './token.ts'

export interface BotToken extends Pick<TokenCustodian, 'settle'> {
  /** Unseals the token for one request. Refusals: those of `TokenCustodian`. */
  issue(asked: { readonly host: string; readonly bot: number }): Promise<Result<IssuedToken>>
  /** Telegram's id of the stored bot, which is not secret. Refusals: as above. */
  whose(): Promise<Result<number>>
}

export function createBotToken(custodian: TokenCustodian): BotToken {
  return {
    // Another bot has other chats and messages: this bot's stored ids would be taken for them.
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
