/**
 * One bot for both lines (DESIGN §1): what the owner's recorded acknowledgement makes of his chat with the edge's bot. Derived anew
 * for each check from what home holds, so that a revocation counts at once. Must not believe the edge, which is cleared for no more
 * by it: what home says passes, and is nobody's to keep. Called by both places.
 */
import type { Grant, TransportGrant } from './grant.ts'
import { labelOf } from './label.ts'
import type { Provenance } from './labeled.ts'
import { isLevel, type Level, rankOf } from './level.ts'
import { PLACE_CLEARANCE, type Place } from './place.ts'
import type { Policy } from './policy.ts'
import type { Sink } from './sink.ts'
import { taintOf } from './taint.ts'

/** The most that the acknowledgement covers; of compartments it covers none. */
const CARRIED: Level = 'sensitive'

/** The newest that stands now. */
export function liveTransport(grants: readonly Grant[], now: number): TransportGrant | null {
  const live = grants.filter(
    (grant): grant is TransportGrant =>
      grant.kind === 'transport' && grant.revoked === false && grant.expiresAt > now,
  )
  return live.at(-1) ?? null
}

/** The policy in which home may answer in this chat. */
export function withBothLines(
  policy: Policy,
  { sink: id, template }: Pick<TransportGrant, 'sink' | 'template'>,
): Policy {
  const chat: Sink = {
    ...{ id, level: CARRIED, compartments: [], place: 'edge', principal: policy.owner },
    ...{ audience: 'sole', carries: template },
  }
  const allowLists = policy.allowLists.map((list) =>
    list.guard === CARRIED ? { ...list, patterns: [...list.patterns, id] } : list,
  )
  return { ...policy, sinks: [...policy.sinks.filter((sink) => sink.id !== id), chat], allowLists }
}

/**
 * The label of words that came by a chat: its clearance, and no more than the place may hold that brought them. What the owner types
 * where the edge listens is `internal`, whatever home may answer there.
 */
export function levelOfWords({ level }: Sink, place: Place): Level {
  const most = PLACE_CLEARANCE[place].level
  return rankOf(level) <= rankOf(most) ? level : most
}

/** What the other place calls the label of a text that it hands over; anything but a bare level is nobody's to read. */
export function handedWords(label: string): Provenance {
  const level = isLevel(label) ? label : 'secret'
  return {
    label: labelOf([{ origin: 'home', field: 'text', level, compartment: null }]),
    taint: taintOf('raw', 'home'),
  }
}
