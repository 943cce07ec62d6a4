/** What the owner is told when he activates an app at Slack as his chat with home (H-13). Data alone. Called by both places. */
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'
import { SLACK } from './names.ts'

/** What the vault calls its two tokens: the app's own opens connections, its bot's writes. */
export const SLACK_APP = 'slack-app'
export const SLACK_BOT = 'slack-bot'

export const SLACK_ADAPTER: ChannelAdapter = Object.freeze({
  name: SLACK,
  title: 'Slack',
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
