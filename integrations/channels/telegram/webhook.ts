/**
 * Which updates a bot asks for, the path of the edge's webhook, and the arguments to set it. Must not send anything. Called by the
 * setup, by the edge and by home's poller.
 */

export const WEBHOOK_PATH = '/telegram/open'

/** Header in which Telegram sends the webhook's secret with each update. */
export const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** Update types asked for (`allowed_updates`), by webhook and by polling. */
export const HEARD = Object.freeze(['message', 'edited_message', 'callback_query'] as const)

/** Arguments of `setWebhook`. `edge`: its origin. */
export function webhookOf(edge: string, secret: string) {
  return {
    url: `${edge}${WEBHOOK_PATH}`,
    secret_token: secret,
    allowed_updates: HEARD,
    max_connections: 1,
  }
}
