/**
 * A bot's token as text: what one looks like, and whose it is. Must not keep, send or print one. Called where one is read, and by the
 * edge's route.
 */

/** `<bot id>:<35 characters>`, as @BotFather gives them. */
const TOKEN = /^[0-9]{1,20}:[A-Za-z0-9_-]{30,100}$/

export function isBotToken(text: string): boolean {
  return TOKEN.test(text)
}

/** Telegram's id of the bot, which is no secret. */
export function botOf(token: string): string {
  return token.slice(0, token.indexOf(':'))
}
