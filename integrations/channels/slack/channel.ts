/** Declaration of the Slack channel: an app of the owner, at home only. Called by both places, and by the files of this folder. */
import * as z from 'zod/mini'
import { type ChannelDeclaration, type ChannelTable, ORIGIN } from '../runtime/declaration.ts'

/** Name of the adapter in sources, sinks and templates. */
export const SLACK = 'slack'

export const SLACK_ORIGIN = 'https://slack.com'

/** Required suffix of the host in Slack's socket URLs. */
export const SLACK_SOCKETS = '.slack.com'

/** Names of the two tokens in the vault: the app token opens connections, the bot token sends. */
export const SLACK_APP = 'slack-app'
export const SLACK_BOT = 'slack-bot'

/** The owner's direct messages with the app. */
export const SLACK_PRIVATE = Object.freeze({ chat: 'private', sink: `sink:${SLACK}:private` })

const idOf = (kind: RegExp) =>
  z
    .string()
    .check(z.refine((value) => kind.test(value), { error: "must be Slack's id, in capitals and digits" }))

/** Slack's ids of the workspace, of the owner in it, and of the app; then of the owner's direct messages with it; origin of the Web API. */
const settings = z.strictObject({
  team: idOf(/^T[A-Z0-9]{1,20}$/),
  owner: idOf(/^[UW][A-Z0-9]{1,20}$/),
  app: idOf(/^A[A-Z0-9]{1,20}$/),
  chat: idOf(/^D[A-Z0-9]{1,20}$/),
  api: z._default(ORIGIN, SLACK_ORIGIN),
})

/** The owner's app: identifies the direct messages that are the private line. The tokens are not part of it; they are in the vault. */
export type SlackConfig = Readonly<z.infer<typeof settings>>

/** App token, with `connections:write`: `xapp-1-<app>-<digits>-<hex>`. */
const APP_TOKEN = 'xapp-[0-9]+-A[A-Z0-9]{1,20}-[A-Za-z0-9-]{10,200}'
/** Bot token: `xoxb-…`. A user token (`xoxp-`) could act as the owner, and is never accepted (H-05). */
const BOT_TOKEN = 'xoxb-[A-Za-z0-9-]{10,200}'

export const SLACK_CHANNEL: ChannelDeclaration = Object.freeze({
  name: SLACK,
  title: 'Slack',
  means: 'an app of yours',
  origin: SLACK_ORIGIN,
  fetches: false,
  home: SLACK_PRIVATE,
  edge: null,
  settings,
  needs: [
    {
      service: SLACK_APP,
      title: 'Slack (the app)',
      where:
        'Make an app at api.slack.com/apps: switch on Socket Mode, Interactivity and the Messages tab, give its bot the scopes chat:write and im:history, subscribe it to the bot event message.im, and install it. I need two tokens; the first begins with xapp- and stands under Basic Information, App-Level Tokens, with the scope connections:write.',
      shape: APP_TOKEN,
    },
    {
      service: SLACK_BOT,
      title: 'Slack (its bot)',
      where: 'The second token begins with xoxb- and stands under OAuth & Permissions of the same app.',
      shape: BOT_TOKEN,
    },
  ],
  prove: 'Now send this, as a direct message from your own account, to',
})

/** Parses a table that was checked before. Throws on any other. */
export function slackConfig(table: ChannelTable): SlackConfig {
  return z.parse(settings, table)
}

/** The owner as event sources name them: the user id is unique only within its workspace. */
export function slackOwner({ team, owner }: Pick<SlackConfig, 'team' | 'owner'>): string {
  return `${SLACK}:${team}:${owner}`
}

export function isBotToken(text: string): boolean {
  return new RegExp(`^${BOT_TOKEN}$`).test(text)
}

/** Slack's id of the app that a token belongs to, which is not secret; null for anything but an app token. */
export function appOf(token: string): string | null {
  return new RegExp(`^${APP_TOKEN}$`).test(token) ? (token.split('-')[2] ?? null) : null
}
