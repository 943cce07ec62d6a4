/**
 * Formats of a Slack app's tokens, and the app they belong to. Must not store, send or print one. Called where tokens are read, and
 * by their custodian.
 */

/** App token, with `connections:write`: `xapp-1-<app>-<digits>-<hex>`. */
const APP = /^xapp-\d+-(A[A-Z0-9]{1,20})-[A-Za-z0-9-]{10,200}$/
/** Bot token: `xoxb-…`. A user token (`xoxp-`) could act as the owner, and is never accepted (H-05). */
const BOT = /^xoxb-[A-Za-z0-9-]{10,200}$/

export function isBotToken(text: string): boolean {
  return BOT.test(text)
}

/** Slack's id of the app, which is not secret; null for anything but an app token. */
export function appOf(token: string): string | null {
  return APP.exec(token)?.[1] ?? null
}
