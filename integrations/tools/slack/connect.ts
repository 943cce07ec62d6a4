/**
 * How the owner gets a user token of Slack: pages and boxes, by their names there (L-12; written from Slack’s public documentation; not checked against its
 * pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

/** What the token may read; it can write nothing. */
export const SLACK_SCOPES = Object.freeze([
  ...['channels:read', 'channels:history', 'groups:read', 'groups:history', 'im:read', 'im:history'],
  ...['mpim:read', 'mpim:history', 'search:read', 'users:read'],
])

export const SLACK_CONNECT: ConnectSpec = Object.freeze({
  title: 'your Slack account',
  where:
    'Make an app at https://api.slack.com/apps, give it the user token scopes that `pfar connect` lists, install it, and give me its User OAuth Token; it begins with xoxp-. If its tokens rotate, give me the client ID, the client secret and the refresh token in one line instead. It is not the token of the bot that you chat with.',
  shape:
    'xoxp-[A-Za-z0-9-]{10,250}|\\d{5,20}\\.\\d{5,20}[\\s,;]+[0-9a-f]{32}[\\s,;]+xoxe-[A-Za-z0-9_-]{10,500}',
  steps: [
    '1. https://api.slack.com/apps: "Create New App", "From scratch", in the workspace that I shall read. Its admins may have to agree.',
    `2. "OAuth & Permissions", "User Token Scopes" (not those of a bot): ${SLACK_SCOPES.join(', ')}.`,
    '3. "Install to Workspace", and allow it.',
    '4. "User OAuth Token" on the same page begins with xoxp-: paste it here.',
    '   If the app has "Token Rotation" on, that token begins with xoxe.xoxp- and ends after twelve hours. Paste three values in one line instead, with spaces between them: "Client ID" and "Client Secret" of "Basic Information", and the refresh token beside the user token, which begins with xoxe-. I renew it then, and each refresh token is good for once: use it nowhere else.',
    'It reads all that you can read there, and writes nothing. Your chat with me at Slack is another thing: `pfar slack connect`.',
  ],
  says: 'what did I not answer on slack?',
})
