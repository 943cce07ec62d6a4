/** The chats that home can be reached in, in the order in which they are offered (H-13). A new one is one entry. Called by both places. */
import type { ChannelAdapter } from '../../kernel/tool/channel.ts'
import { SLACK_ADAPTER } from './slack/adapter.ts'
import { TELEGRAM_ADAPTER } from './telegram/adapter.ts'

export const CHANNEL_ADAPTERS: readonly ChannelAdapter[] = Object.freeze([TELEGRAM_ADAPTER, SLACK_ADAPTER])
