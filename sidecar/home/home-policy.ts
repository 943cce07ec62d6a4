/**
 * Policy of home: the owner, the sinks and the labels each may carry (A-40, A-41; DESIGN §1). Home is the policy authority. Must not read files or
 * clocks. Called by powers.ts.
 *
 * Data: everything above `internal`. Readers: the owner's own sinks. Rationale: each sink has the owner as its only reader, so the policy restricts the
 * line that a label may travel by, not the reader.
 */

import { HOME_CHATS } from '../../integrations/channels/index.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { type Compartment, rankOf } from '../../kernel/flow/level.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { AllowList, Sink } from '../../kernel/flow/sink.ts'
import { type Directory, OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'

const NONE: readonly Compartment[] = Object.freeze([])
const HEALTH = 'health' as Compartment

const CHATS: readonly string[] = Object.freeze([...HOME_CHATS.values()])

/**
 * Sinks that the owner's tools write to, each cleared for the level that its service may read. The clearance of a write's own
 * target is checked separately.
 */
const TOOL_SINKS: readonly Sink[] = Object.freeze([
  ...new Map(
    TOOL_MANIFESTS.flatMap(({ actions }) =>
      actions.flatMap(({ sink, reaches }) =>
        sink === null ? [] : [[sink, own(sink, 'home', reaches)] as const],
      ),
    ),
  ).values(),
])

/**
 * Sinks cleared for at least `sensitive`. A service cleared for less is on no allow-list for private data, so raising its level
 * alone permits nothing.
 */
const PRIVATE_TOOL_SINKS: readonly string[] = Object.freeze(
  TOOL_SINKS.filter(({ level }) => rankOf(level) >= rankOf('sensitive')).map(({ id }) => id),
)

const SINKS: readonly Sink[] = Object.freeze([
  ...CHATS.map((sink) => own(sink, 'home', 'sensitive')),
  own('sink:openline:owner', 'edge', 'internal'),
  ...TOOL_SINKS,
  own('sink:memory:owner', 'home', 'regulated', [HEALTH]),
  own('sink:memory:open', 'edge', 'internal'),
  own('sink:place:edge', 'edge', 'internal'),
  own('sink:place:home', 'home', 'regulated', [HEALTH]),
])

/** `secret` has no list because it has no reader: the policy engine denies it before it reads a list. */
const ALLOW_LISTS: readonly AllowList[] = Object.freeze([
  {
    guard: 'sensitive',
    patterns: [...CHATS, ...PRIVATE_TOOL_SINKS, 'sink:memory:owner', 'sink:place:home'],
  },
  // A chat may carry a compartment only after a grant of the owner (`withCompartments`).
  { guard: 'regulated:health', patterns: ['sink:memory:owner', 'sink:place:home'] },
  { guard: 'regulated', patterns: ['sink:memory:owner', 'sink:place:home'] },
])

export const HOME_POLICY: Policy = Object.freeze({
  owner: OWNER_PRINCIPAL,
  sinks: SINKS,
  allowLists: ALLOW_LISTS,
  flowGrants: [],
  writeGrants: [],
  linkedChats: [],
})

/** `chats`: the owner's sender ids in the chats with home. On the open line the owner is the enrolled device. */
export function homeDirectory(deviceId: string, chats: readonly string[]): Directory {
  return { owner: [...chats, `openline:device:${deviceId}`], paired: [] }
}

function own(
  id: string,
  place: Sink['place'],
  level: Sink['level'],
  compartments: readonly Compartment[] = NONE,
): Sink {
  return Object.freeze({
    id,
    place,
    level,
    compartments,
    principal: OWNER_PRINCIPAL,
    audience: place === 'edge' && id.startsWith('sink:place:') ? 'many' : 'sole',
  })
}
