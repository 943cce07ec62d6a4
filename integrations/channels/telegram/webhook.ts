/**
 * Where Telegram brings the updates of the edge's bot, and how that is asked for. Must not send anything. Called by `pfar telegram
 * connect` and by the edge.
 */

export const WEBHOOK_PATH = '/telegram/open'

/** Arguments of `setWebhook`. `edge`: its origin. */
export function webhookOf(edge: string, secret: string) {
  return {
    url: `${edge}${WEBHOOK_PATH}`,
    secret_token: secret,
    allowed_updates: ['message', 'edited_message', 'callback_query'] as const,
    max_connections: 1,
  }
}
