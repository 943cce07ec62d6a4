/** Table of home's Slack line in `home.sqlite`; a change needs `npm run migrations`. */
import { channelTable } from '../runtime/home-store.ts'

export const slackState = channelTable('slack_kept')
