/**
 * The token of the owner's bot at Telegram, for one request at a time (H-04). Must not give it for another bot's. Called by
 * telegram/bot.ts.
 */
import { botOf } from '../../integrations/channels/telegram/token.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  createTokenCustodian,
  type IssuedToken,
  type TokenCustodian,
  type TokenInput,
} from './channel-token.ts'

/** Name of the secret, and what its scope names as its tool. */
export const BOT_SECRET = 'telegram'
export const BOT_TOOL = 'channel.telegram'

export interface BotToken extends Pick<TokenCustodian, 'settle'> {
  /** For one request. Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(asked: { readonly host: string; readonly bot: number }): Promise<Result<IssuedToken>>
  /** Of which bot there is one: Telegram's id, which is no secret. Refusals: as above. */
  whose(): Promise<Result<number>>
}

export function createBotToken(input: TokenInput): BotToken {
  const custodian = createTokenCustodian(input, { secret: BOT_SECRET, tool: BOT_TOOL })
  return {
    // Another bot's chats and messages are others: what is remembered of this one's would be taken for them.
    issue: ({ host, bot }) =>
      custodian.issue({ host, fits: (value) => value.startsWith(`${bot}:`), rule: 'bot' }),
    async whose() {
      const plain = await input.secrets.unseal(BOT_SECRET)
      if (!plain.ok) return plain
      const bot = Number(botOf(new TextDecoder().decode(plain.value.bytes)))
      plain.value.bytes.fill(0)
      return Number.isSafeInteger(bot)
        ? ok(bot)
        : err('credential_mismatch', { credential: BOT_SECRET, rule: 'bot' })
    },
    settle: custodian.settle,
  }
}
