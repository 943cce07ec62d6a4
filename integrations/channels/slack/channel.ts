/** Slack's channel as data: an app of the owner's, at home alone. Called by both places, and by the files of this folder. */
import * as z from 'zod/mini'
import { type ChannelDeclaration, type ChannelTable, ORIGIN } from '../runtime/declaration.ts'

/** Name of the adapter in sources, sinks and templates. */
export const SLACK = 'slack'

export const SLACK_ORIGIN = 'https://slack.com'

/** Where Slack's sockets are: the host of an address that it gives out must end so. */
export const SLACK_SOCKETS = '.slack.com'

/** What the vault calls its two tokens: the app's own opens connections, its bot's writes. */
export const SLACK_APP = 'slack-app'
export const SLACK_BOT = 'slack-bot'

/** What the owner's direct messages with the app are called. */
export const SLACK_PRIVATE = Object.freeze({ chat: 'private', sink: `sink:${SLACK}:private` })

/** The owner's app: whose direct messages with which app are his private line. The tokens are no part of it; they lie in the vault. */
export interface SlackConfig {
  /** Slack's ids of the workspace, of the owner in it, of the app, and of his direct messages with it. */
  readonly team: string
  readonly owner: string
  readonly app: string
  readonly chat: string
  /** Origin of the Web API. */
  readonly api: string
}

const idOf = (kind: RegExp) =>
  z
    .string()
    .check(z.refine((value) => kind.test(value), { error: "must be Slack's id, in capitals and digits" }))

const settings = z.strictObject({
  team: idOf(/^T[A-Z0-9]{1,20}$/),
  owner: idOf(/^[UW][A-Z0-9]{1,20}$/),
  app: idOf(/^A[A-Z0-9]{1,20}$/),
  chat: idOf(/^D[A-Z0-9]{1,20}$/),
  api: z._default(ORIGIN, SLACK_ORIGIN),
})

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
      shape: 'xapp-[0-9]+-A[A-Z0-9]{1,20}-[A-Za-z0-9-]{10,200}',
    },
    {
      service: SLACK_BOT,
      title: 'Slack (its bot)',
      where: 'The second token begins with xoxb- and stands under OAuth & Permissions of the same app.',
      shape: 'xoxb-[A-Za-z0-9-]{10,200}',
    },
  ],
  prove: 'Now send this, as a direct message from your own account, to',
})

/** Of a table that was checked. Throws on another. */
export function slackConfig(table: ChannelTable): SlackConfig {
  return z.parse(settings, table)
}

/** The owner as sources name him there: nobody of another workspace has his id. */
export function slackOwner({ team, owner }: Pick<SlackConfig, 'team' | 'owner'>): string {
  return `${SLACK}:${team}:${owner}`
}
