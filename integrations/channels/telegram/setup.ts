/**
 * Sets up an owner's bot as the private line at home: checks the token, finds the owner by a code sent to the bot, and stores both,
 * the token in home's vault. The edge is not involved. Must not remove a webhook: a bot with one serves another line. Called by
 * `pfar channel connect`.
 */
import * as z from 'zod/mini'
import { CONNECTED_TO_HOME, NOT_CONNECTED } from '../../../kernel/features/channels/channel-words.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HomeSetup, HomeSetupWays, SetupWords, Tokens } from '../runtime/home-setup.ts'
import { createBotApi } from './api.ts'
import { TELEGRAM, telegramConfig } from './channel.ts'
import { findOwner, sayThere } from './home-owner.ts'
import { isConflict, troubleWords } from './home-trouble.ts'
import { botOf, isBotToken } from './token.ts'

/** Texts of both setups, for home and for the edge. */
export const BOT_WORDS: SetupWords = Object.freeze({
  prompts: ['Token of your bot, from @BotFather: '],
  notTokens: 'That is no token of a bot. @BotFather gives you one: digits, a colon, and letters.',
  tokenHint: 'Give it whole, as @BotFather shows it: /mybots, your bot, API Token.',
  device: 'your phone',
  done: 'Write to your bot: that chat is your private line, and may show you what the edge may not know.',
})

export function botTokenIn(text: string): Tokens | null {
  const token = text.trim()
  return isBotToken(token) ? { [TELEGRAM]: token } : null
}

export const SETUP: HomeSetup = Object.freeze({
  words: BOT_WORDS,
  tokensIn: botTokenIn,
  // The vault holds the token of another, working bot: it is not replaced in passing.
  taken: (table, tokens) =>
    tokens === null || String(telegramConfig(table).bot) === botOf(tokens[TELEGRAM] ?? '') ? null : ANOTHER,
  connect: connectPrivateBot,
  trouble: (refusal) => (isConflict(refusal) ? troubleWords(refusal) : null),
} satisfies HomeSetup)

const ANOTHER =
  'Another bot is your private line already. `pfar channel disconnect telegram` ends that; then connect this one.'

const me = z.object({ id: z.int(), username: z.string() })

/**
 * Refusals: credential_rejected (no such bot), remote_rejected (`why`: `webhook` or `polled` for a bot whose messages go elsewhere),
 * pairing_refused (nobody sent the code), those of the vault.
 */
async function connectPrivateBot(ways: HomeSetupWays): Promise<Result<{ readonly written: boolean }>> {
  const { origin, transport, tokens, code, keep, write, tell } = ways
  const token = tokens[TELEGRAM] ?? ''
  const api = createBotApi({ token, origin, transport })
  const answer = await api.call('getMe', undefined)
  if (!answer.ok) return answer
  const bot = z.safeParse(me, answer.value)
  if (!bot.success) return err('remote_rejected', { why: 'answer' })
  // Checked before the owner is asked to send the code.
  const free = await api.call('getUpdates', { timeout: 0, limit: 1 })
  if (!free.ok) return free
  const found = await findOwner(api, { bot: bot.data.username, code, tell })
  if (!found.ok) return found
  const kept = await keep(TELEGRAM, token)
  if (!kept.ok) {
    await sayThere(api, found.value, NOT_CONNECTED)
    return kept
  }
  const { owner, next } = found.value
  const written = write({ owner, bot: bot.data.id, api: origin })
  // Confirms the code's update, so that it does not arrive as a message.
  await api.call('getUpdates', { offset: next, timeout: 0, limit: 1 })
  await sayThere(api, found.value, written ? CONNECTED_TO_HOME : NOT_CONNECTED)
  return ok({ written })
}
