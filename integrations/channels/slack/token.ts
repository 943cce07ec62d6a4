/**
 * An app's tokens as text: what each looks like, and whose it is. Must not keep, send or print one. Called where they are read, and
 * by their custodian.
 */

/** Of the app, with `connections:write`: `xapp-1-<app>-<digits>-<hex>`. */
const APP = /^xapp-\d+-(A[A-Z0-9]{1,20})-[A-Za-z0-9-]{10,200}$/
/** Of its bot: `xoxb-…`. A user's own token (`xoxp-`) could act as him, and is never taken (H-05). */
const BOT = /^xoxb-[A-Za-z0-9-]{10,200}$/

export function isBotToken(text: string): boolean {
  return BOT.test(text)
}

/** Slack's id of the app, which is no secret; null for what is no token of one. */
export function appOf(token: string): string | null {
  return APP.exec(token)?.[1] ?? null
}
