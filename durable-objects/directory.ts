/**
 * Directory of principals at the edge, and the edge's own chats: the open line and the owner's chat with the edge's bot. Built from
 * configuration, never from content (B-08). Called by the Worker, which must know which object to wake, and by the objects.
 */

import { EDGE_CHAT } from '../integrations/channels/index.ts'
import type { EdgeChannel } from '../integrations/channels/runtime/edge-package.ts'
import type { Sink } from '../kernel/flow/sink.ts'
import { type Directory, OWNER_PRINCIPAL } from '../kernel/task/principal.ts'

/** Address of the owner's open line, as its adapter names it. */
export const OPEN_LINE = Object.freeze({
  adapter: 'openline',
  user: 'device',
  chat: 'owner',
  sink: 'sink:openline:owner',
})

/** Every enrolled device belongs to the owner. The Worker has checked the enrolment before it uses this user. */
export const OPEN_DIRECTORY: Directory = Object.freeze({
  owner: [`${OPEN_LINE.adapter}:${OPEN_LINE.user}`],
  paired: [],
})

/**
 * Data: what leaves an edge task. Readers: the owner on the open line, and the owner's open memory. Rationale: the line's provider
 * sees what passes it, so nothing above `internal` may (DESIGN §1).
 */
export const EDGE_SINKS: readonly Sink[] = Object.freeze([
  ownerSink(OPEN_LINE.sink, 'sole'),
  ownerSink('sink:memory:open', 'sole'),
  ownerSink('sink:place:edge', 'many'),
  // The tunnel to home may carry whatever the edge may hold.
  Object.freeze({ ...ownerSink('sink:place:home', 'sole'), level: 'regulated', place: 'home' }),
])

function ownerSink(id: string, audience: Sink['audience']): Sink {
  const guard = { level: 'internal', compartments: [] } as const
  return Object.freeze({ ...guard, id, place: 'edge', principal: OWNER_PRINCIPAL, audience })
}

/** Adds the owner's account at the bot's service, where a bot is configured. */
export function edgeDirectory(bot: Pick<EdgeChannel, 'owner'> | null): Directory {
  return bot === null ? OPEN_DIRECTORY : { ...OPEN_DIRECTORY, owner: [...OPEN_DIRECTORY.owner, bot.owner] }
}

export function edgeSinks(bot: EdgeChannel | null): readonly Sink[] {
  return bot === null ? EDGE_SINKS : [...EDGE_SINKS, ownerSink(EDGE_CHAT.sink, 'sole')]
}

/** The owner's chats at the edge, in the order in which a notice tries them (F-18). */
export function noticeSinks(bot: EdgeChannel | null): readonly string[] {
  return bot === null ? [OPEN_LINE.sink] : [EDGE_CHAT.sink, OPEN_LINE.sink]
}

/** Names of these chats, as shown to people. */
export function chatNames(bot: EdgeChannel | null): readonly string[] {
  return bot === null ? ['open line'] : ['open line', EDGE_CHAT.name]
}
