/** The scripted bots' tokens: apart from their server, which a test inside workerd cannot import. */
export const BOT_TOKEN = '4242:scripted-token_of-a-bot-nobody-has1'
/** Of the owner's second bot, at home. */
export const PRIVATE_TOKEN = '5151:scripted-token_of-a-bot-kept-at-home'
