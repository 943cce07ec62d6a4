/**
 * All channels, and what every place derives from their declarations. A new channel is its folder and one line here. Data only:
 * code is in home.ts and edge.ts of each folder. Called by both places.
 */
import type { ChannelAdapter, Chats } from '../../kernel/tool/channel.ts'
import type { ChannelDeclaration, OwnerChat } from './runtime/declaration.ts'
import { SLACK_CHANNEL } from './slack/channel.ts'
import { TELEGRAM_CHANNEL } from './telegram/channel.ts'
import { TERMINAL_CHANNEL } from './terminal/channel.ts'

/** In the order in which channels are offered, and in which the owner's chats are tried if the owner has set no other order. */
export const CHANNELS: readonly ChannelDeclaration[] = Object.freeze([
  TERMINAL_CHANNEL,
  TELEGRAM_CHANNEL,
  SLACK_CHANNEL,
])

/** Services without a package: their names are recognised, so that the owner is told that they are not supported. */
const UNBUILT: Chats = Object.freeze({ whatsapp: { title: 'WhatsApp', fetches: false } })

/** Channels that the owner can activate. */
export const CHANNEL_ADAPTERS: readonly ChannelAdapter[] = Object.freeze(
  CHANNELS.filter(({ needs }) => needs.length > 0),
)

/** The services that a chat may belong to, for the kernel. */
export const CHATS: Chats = Object.freeze({
  ...Object.fromEntries(
    CHANNELS.flatMap(({ name, title, fetches, origin }) =>
      origin === null ? [] : [[name, { title, fetches }]],
    ),
  ),
  ...UNBUILT,
})

/** The owner's chats with home, by channel name. */
export const HOME_CHATS: ReadonlyMap<string, string> = new Map(
  CHANNELS.flatMap(({ name, home }) => (home === null ? [] : [[name, home.sink] as const])),
)

/**
 * The owner's chat with the edge: that of the first channel that can run there. The acknowledgement of one bot for both places
 * applies to it.
 */
export const EDGE_CHAT: OwnerChat & Pick<ChannelDeclaration, 'name' | 'title'> = edgeChat()

function edgeChat(): typeof EDGE_CHAT {
  for (const { name, title, edge } of CHANNELS)
    if (edge !== null) return Object.freeze({ name, title, ...edge })
  throw new Error('no channel can be at the edge')
}
