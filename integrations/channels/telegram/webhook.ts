/**
 * What of a bot's updates is wanted, where Telegram brings those of the edge's, and how that is asked for. Must not send anything.
 * Called by the setup, by the edge and by home's poller.
 */

export const WEBHOOK_PATH = '/telegram/open'

/** What Telegram sends the webhook's secret in, with each update. */
export const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** What is heard of what happens in a chat (`allowed_updates`), by a webhook and by asking. */
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
