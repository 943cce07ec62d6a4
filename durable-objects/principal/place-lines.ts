/**
 * Lines of the status that only the edge has (L-08): the owner's chats here, those that receive no messages first, and the
 * version. Each says in words what to do; no content. Called by powers.ts.
 */
import { CHATS } from '../../integrations/channels/index.ts'
import { chatTitle } from '../../kernel/features/deliveries/outage.ts'
import { tell } from '../../kernel/wording/words.ts'
import { VERSION } from '../platform/version.ts'
import type { OwnerChat } from './owner-chat.ts'

/** `sinks`: the owner's chats at this edge. */
export function edgeLines(
  { receives }: Pick<OwnerChat, 'receives'>,
  sinks: readonly string[],
): readonly string[] {
  const titles = (works: boolean): readonly string[] =>
    sinks.filter((sink) => receives(sink) === works).map((sink) => chatTitle(sink, CHATS))
  return [
    ...titles(false).map((chat) => tell('commands.bot_silent', { chat })),
    tell('commands.edge_chats', { chats: titles(true).join(', ') }),
    tell('commands.version', { version: VERSION }),
  ]
}
