/**
 * Format of a Telegram bot token, and the bot it belongs to. Must not store, send or print one. Called where a token is read, and
 * by the edge's route.
 */

/** `<bot id>:<35 characters>`, as @BotFather issues them. */
const TOKEN = /^[0-9]{1,20}:[A-Za-z0-9_-]{30,100}$/

export function isBotToken(text: string): boolean {
  return TOKEN.test(text)
}

/** Telegram's id of the bot, which is not secret. */
export function botOf(token: string): string {
  return token.slice(0, token.indexOf(':'))
}
