/**
 * Gives one request to Telegram its bot's token (H-04, invariant 4): unsealed for that request, for the host that it was stored for
 * and the bot that the configuration names. The audit says once for each version that it went out, and each time that it could not:
 * a line that asks all day would bury every other. Must not keep a value, or put one into a reason. Called by telegram/bot.ts.
 */
import { botOf } from '../../integrations/channels/telegram/token.ts'
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import type { ModelKeysInput } from './model-keys.ts'
import type { SecretStore } from './secret-store.ts'

/** Name of the secret, and what its scope names as its tool. */
export const BOT_SECRET = 'telegram'
export const BOT_TOOL = 'channel.telegram'

export interface BotTokenInput extends Pick<ModelKeysInput, 'redactor' | 'audit'> {
  readonly secrets: Pick<SecretStore, 'find' | 'unseal' | 'accepted' | 'rejected'>
  /** A version was refused for the first time. */
  readonly rejected: (name: string, version: number) => void
}

export interface IssuedToken {
  readonly value: string
  readonly version: number
}

export interface BotToken {
  /** For one request. Refusals: credential_missing, credential_mismatch, and those of the vault. */
  issue(asked: { readonly host: string; readonly bot: number }): Promise<Result<IssuedToken>>
  /** Of which bot there is one: Telegram's id, which is no secret. Refusals: as above. */
  whose(): Promise<Result<number>>
  /** How Telegram took it. */
  settle(version: number, use: 'accepted' | 'rejected'): void
}

export function createBotToken(input: BotTokenInput): BotToken {
  const { secrets, rejected, audit } = input
  let told: string | null = null
  return {
    async issue(asked) {
      const issued = await unsealFor(input, asked)
      const facts = {
        ...{ credential: BOT_SECRET, version: issued.ok ? issued.value.version : null, tool: BOT_TOOL },
        ...{ ok: issued.ok, code: issued.ok ? null : issued.reason.code },
      }
      const news = JSON.stringify(facts)
      if (news !== told) audit({ kind: 'credential_issued', trace: null, task: null, principal: null, facts })
      told = news
      return issued
    },
    async whose() {
      const plain = await secrets.unseal(BOT_SECRET)
      if (!plain.ok) return plain
      const bot = Number(botOf(new TextDecoder().decode(plain.value.bytes)))
      plain.value.bytes.fill(0)
      return Number.isSafeInteger(bot) ? allowed(bot) : mismatch('bot')
    },
    settle(version, use) {
      if (use === 'accepted') secrets.accepted(BOT_SECRET, version)
      else if (secrets.rejected(BOT_SECRET, version)) rejected(BOT_SECRET, version)
    },
  }
}

async function unsealFor(
  { secrets, redactor }: Pick<BotTokenInput, 'secrets' | 'redactor'>,
  { host, bot }: { readonly host: string; readonly bot: number },
): Promise<Result<IssuedToken>> {
  const known = secrets.find(BOT_SECRET)
  if (known === null) return refused('credential_missing', { credential: BOT_SECRET })
  const { scope, kind } = known
  if (kind !== 'token') return mismatch('kind')
  if (!scope.tools.includes(BOT_TOOL)) return mismatch('tool')
  // A configuration that was changed to another address gets no token that was stored for the one before.
  if (!scope.hosts.includes(host)) return mismatch('host')
  const plain = await secrets.unseal(BOT_SECRET)
  if (!plain.ok) return plain
  const { version, bytes } = plain.value
  const value = new TextDecoder().decode(bytes)
  bytes.fill(0)
  // Another bot's chats and messages are others: what is remembered of this one's would be taken for them.
  if (!value.startsWith(`${bot}:`)) return mismatch('bot')
  redactor.learn(BOT_SECRET, value)
  return allowed({ value, version })
}

function mismatch(rule: string): Result<never> {
  return refused('credential_mismatch', { credential: BOT_SECRET, rule })
}
