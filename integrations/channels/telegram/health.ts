/**
 * Whether Telegram can deliver updates to a webhook: one request to the Bot API, and its interpretation (H-11). Must not repair
 * anything; none of Telegram's texts is returned. Called by the place that holds the bot's token.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { BotApi } from './api.ts'

/** Pending updates at Telegram from which on something must be wrong. */
const MOST_PENDING = 100

/**
 * `not_set`: no webhook; `elsewhere`: one that is not the bot's route; `errors`: deliveries failed; `waiting`: too many updates are
 * pending.
 */
export type WebhookTrouble = 'not_set' | 'elsewhere' | 'errors' | 'waiting' | ReasonCode

const INFO = z.object({
  url: z.string(),
  pending_update_count: z.int(),
  last_error_date: z.optional(z.int()),
  last_error_message: z.optional(z.string()),
})
export type WebhookInfo = z.infer<typeof INFO>

export async function webhookInfo(api: BotApi): Promise<Result<WebhookInfo>> {
  const asked = await api.call('getWebhookInfo', undefined)
  if (!asked.ok) return asked
  const info = INFO.safeParse(asked.value)
  return info.success ? ok(info.data) : err('remote_rejected', { why: 'answer' })
}

/** Null for a working webhook. `path`: path of the webhook's route; `since`: epoch milliseconds, earlier errors are ignored. */
export async function webhookTrouble(
  api: BotApi,
  { path, since }: { readonly path: string; readonly since: number },
): Promise<WebhookTrouble | null> {
  const info = await webhookInfo(api)
  if (!info.ok) return info.reason.code
  const { url, pending_update_count: pending, last_error_date: failed = 0 } = info.value
  if (url === '') return 'not_set'
  if (!url.endsWith(path)) return 'elsewhere'
  // An update that failed once and was then delivered is no fault.
  if (pending > 0 && failed * 1_000 >= since) return 'errors'
  return pending >= MOST_PENDING ? 'waiting' : null
}
