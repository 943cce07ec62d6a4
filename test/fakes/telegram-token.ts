/** The scripted bot's token: apart from its server, which a test inside workerd cannot import. */
export const BOT_TOKEN = '4242:scripted-token_of-a-bot-nobody-has1'
