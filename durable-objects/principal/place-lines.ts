/**
 * What a status says of the edge beside what both places say (L-08): the owner's chats that it holds, one that brings no
 * messages first, and the version. In words, with what to do; no content. Called by powers.ts.
 */
import { CHATS } from '../../integrations/channels/index.ts'
import { chatTitle } from '../../kernel/features/deliveries/outage.ts'
import { tell } from '../../kernel/wording/words.ts'
import { VERSION } from '../platform/version.ts'
import type { OwnerChat } from './owner-chat.ts'

/** `sinks`: those of the owner's chats here. */
export function edgeLines({ hears }: Pick<OwnerChat, 'hears'>, sinks: readonly string[]): readonly string[] {
  const titles = (works: boolean): readonly string[] =>
    sinks.filter((sink) => hears(sink) === works).map((sink) => chatTitle(sink, CHATS))
  return [
    ...titles(false).map((chat) => tell('commands.bot_silent', { chat })),
    tell('commands.edge_chats', { chats: titles(true).join(', ') }),
    tell('commands.version', { version: VERSION }),
  ]
}
