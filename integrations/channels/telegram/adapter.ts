/** What the owner is told when he activates a bot as his chat with home (H-13). Data alone. Called by both places. */
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'
import { TELEGRAM } from './names.ts'

export const TELEGRAM_ADAPTER: ChannelAdapter = Object.freeze({
  name: TELEGRAM,
  title: 'Telegram',
  needs: [
    {
      service: TELEGRAM,
      title: 'Telegram',
      where:
        'Open @BotFather in Telegram, send it /newbot, and choose a name: it answers with the token of a new bot, digits, a colon and letters. It must be a bot of its own, not the one of your edge.',
      shape: '[0-9]{1,20}:[A-Za-z0-9_-]{30,100}',
    },
  ],
  prove: 'Now send this, from your own account, to',
})
