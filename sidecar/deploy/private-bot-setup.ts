/**
 * Makes a bot of the owner's his private line at home: looks whether the token is one, finds the owner by a code that he sends to it,
 * and has home keep both, the token in its vault. The edge hears nothing of it. Must not take a webhook off: the bot that has one is
 * another line. Called by `pfar telegram connect --private`.
 */
import * as z from 'zod/mini'
import type { BotApi } from '../../integrations/channels/telegram/api.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CONNECTED_TO_HOME, NOT_CONNECTED } from '../../kernel/wording/channels.ts'
import type { TelegramConfig } from '../telegram/telegram-config.ts'
import { findOwner, sayThere } from './bot-owner.ts'

export interface PrivateBotSetup {
  readonly api: BotApi
  /** Origin of the Bot API. */
  readonly origin: string
  /** Puts the token into the vault. */
  readonly keep: () => Promise<Result<unknown>>
  /** Writes whose bot it is into the configuration; false where that must be done by hand. */
  readonly write: (telegram: TelegramConfig) => boolean
  readonly tell: (words: string) => void
}

const me = z.object({ id: z.int(), username: z.string() })

/**
 * Refusals: credential_rejected (no such bot), remote_rejected (`why`: `webhook` or `polled` for a bot whose messages go elsewhere),
 * pairing_refused (nobody sent the code), those of the vault.
 */
export async function connectPrivateBot(
  setup: PrivateBotSetup,
): Promise<Result<{ readonly written: boolean }>> {
  const { api, origin, keep, write, tell } = setup
  const answer = await api.call('getMe', undefined)
  if (!answer.ok) return answer
  const bot = z.safeParse(me, answer.value)
  if (!bot.success) return err('remote_rejected', { why: 'answer' })
  // Told before he takes up his phone.
  const free = await api.call('getUpdates', { timeout: 0, limit: 1 })
  if (!free.ok) return free
  const found = await findOwner(api, bot.data.username, tell)
  if (!found.ok) return found
  const kept = await keep()
  if (!kept.ok) {
    await sayThere(api, found.value, NOT_CONNECTED)
    return kept
  }
  const { owner, next } = found.value
  const written = write({ owner, bot: bot.data.id, api: origin })
  // The code is not a message of his.
  await api.call('getUpdates', { offset: next, timeout: 0, limit: 1 })
  await sayThere(api, found.value, written ? CONNECTED_TO_HOME : NOT_CONNECTED)
  return ok({ written })
}
