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

/** The owner's app: identifies the direct messages that are the private line. The tokens are not part of it; they are in the vault. */
export interface SlackConfig {
  /** Slack's ids of the workspace, of the owner in it, and of the app; then of the owner's direct messages with it. */
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

/** Parses a table that was checked before. Throws on any other. */
export function slackConfig(table: ChannelTable): SlackConfig {
  return z.parse(settings, table)
}

/** The owner as event sources name them: the user id is unique only within its workspace. */
export function slackOwner({ team, owner }: Pick<SlackConfig, 'team' | 'owner'>): string {
  return `${SLACK}:${team}:${owner}`
}
