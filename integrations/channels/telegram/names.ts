/** What the channel is called here, and where its service is: all that a place without a bot needs to know of it. Called by both places. */

/** Name of the adapter in sources, sinks and templates. */
export const TELEGRAM = 'telegram'

/** What the owner's private chat with the edge's bot is called. */
export const TELEGRAM_OPEN = Object.freeze({ chat: 'open', sink: `sink:${TELEGRAM}:open` })

export const TELEGRAM_ORIGIN = 'https://api.telegram.org'
