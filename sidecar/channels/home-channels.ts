/** The chats that this home can be reached in, in the order in which they are offered (H-13). A new one is one entry. Called by wiring.ts. */
import { createSlackChannel, type SlackChannelInput } from '../slack/slack-channel.ts'
import { createTelegramChannel, type TelegramChannelInput } from '../telegram/telegram-channel.ts'
import type { HomeChannel } from './home-channel.ts'

export interface HomeChannelsInput {
  readonly telegram: TelegramChannelInput
  readonly slack: SlackChannelInput
}

export function homeChannels({ telegram, slack }: HomeChannelsInput): readonly HomeChannel[] {
  return [createTelegramChannel(telegram), createSlackChannel(slack)]
}
