/**
 * The channels, and what every place derives from their declarations. A new channel is its folder and one line here. Data alone: what
 * runs is in home.ts and edge.ts of each folder. Called by both places.
 */
import type { ChannelAdapter, Chats } from '../../kernel/tool/channel.ts'
import type { ChannelDeclaration, OwnerChat } from './runtime/declaration.ts'
import { SLACK_CHANNEL } from './slack/channel.ts'
import { TELEGRAM_CHANNEL } from './telegram/channel.ts'
import { TERMINAL_CHANNEL } from './terminal/channel.ts'

/** In the order in which they are offered, and in which the owner is asked where he has not said another. */
export const CHANNELS: readonly ChannelDeclaration[] = Object.freeze([
  TERMINAL_CHANNEL,
  TELEGRAM_CHANNEL,
  SLACK_CHANNEL,
])

/** Services without a package, whose name is understood, so that the owner is told that there is none. */
const UNBUILT: Chats = Object.freeze({ whatsapp: { title: 'WhatsApp', fetches: false } })

/** Those that the owner can activate. */
export const CHANNEL_ADAPTERS: readonly ChannelAdapter[] = Object.freeze(
  CHANNELS.filter(({ needs }) => needs.length > 0),
)

/** What the kernel is told of the services that a chat may be at. */
export const CHATS: Chats = Object.freeze({
  ...Object.fromEntries(
    CHANNELS.flatMap(({ name, title, fetches, origin }) =>
      origin === null ? [] : [[name, { title, fetches }]],
    ),
  ),
  ...UNBUILT,
})

/** The owner's chats with home, by name. */
export const HOME_CHATS: ReadonlyMap<string, string> = new Map(
  CHANNELS.flatMap(({ name, home }) => (home === null ? [] : [[name, home.sink] as const])),
)

/** The owner's chat with the edge: of the first channel that can be there. The acknowledgement of one bot for both lines is for it. */
export const EDGE_CHAT: OwnerChat & Pick<ChannelDeclaration, 'name' | 'title'> = edgeChat()

function edgeChat(): typeof EDGE_CHAT {
  for (const { name, title, edge } of CHANNELS)
    if (edge !== null) return Object.freeze({ name, title, ...edge })
  throw new Error('no channel can be at the edge')
}
