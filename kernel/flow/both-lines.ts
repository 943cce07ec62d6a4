/**
 * The policy after the owner lets home answer in the edge's bot chat (DESIGN §1, one bot for both lines).
 * Computed for each check from home's own records, so a revocation takes effect at once. Must not trust the edge:
 * the edge's clearance stays as it is, and it forwards home's text without storing it. Called by both places.
 */
import type { Clearance } from './clearance.ts'
import type { Grant, TransportGrant } from './grant.ts'
import { labelOf } from './label.ts'
import type { Provenance } from './labeled.ts'
import { isLevel, type Level, rankOf } from './level.ts'
import { PLACE_CLEARANCE, type Place } from './place.ts'
import type { Policy } from './policy.ts'
import type { Sink } from './sink.ts'
import { taintOf } from './taint.ts'

/** Highest level that the acknowledgement covers. It covers no compartment. */
const MOST_SENSITIVE: Level = 'sensitive'

/** The newest transport grant that is not revoked or expired. */
export function liveTransport(grants: readonly Grant[], now: number): TransportGrant | null {
  const live = grants.filter(
    (grant): grant is TransportGrant =>
      grant.kind === 'transport' && grant.revoked === false && grant.expiresAt > now,
  )
  return live.at(-1) ?? null
}

/** A job's template with the highest clearance of its data. */
interface Told {
  readonly id: string
  readonly ceiling: Clearance
}

function covers(chat: Clearance, { level, compartments }: Clearance): boolean {
  return rankOf(level) <= rankOf(chat.level) && compartments.length === 0
}

/**
 * The policy with this chat's sink raised so that home may send answers of the
 * template there, and messages of jobs whose ceiling fits.
 */
export function withBothLines(
  policy: Policy,
  { sink: id, template }: Pick<TransportGrant, 'sink' | 'template'>,
  jobs: readonly Told[] = [],
): Policy {
  const cleared: Clearance = { level: MOST_SENSITIVE, compartments: [] }
  const chat: Sink = {
    ...{ ...cleared, id, compartments: [], place: 'edge', principal: policy.owner, audience: 'sole' },
    ...{
      carries: template,
      jobs: jobs.filter(({ ceiling }) => covers(cleared, ceiling)).map((job) => job.id),
    },
  }
  const allowLists = policy.allowLists.map((list) =>
    list.guard === MOST_SENSITIVE ? { ...list, patterns: [...list.patterns, id] } : list,
  )
  return { ...policy, sinks: [...policy.sinks.filter((sink) => sink.id !== id), chat], allowLists }
}

/**
 * Label of words that arrived through a chat: the sink's clearance, capped by the clearance of the place that received them.
 * Owner input received by the edge is `internal`, even in a chat where home may answer above that.
 */
export function levelOfWords({ level }: Sink, place: Place): Level {
  const most = PLACE_CLEARANCE[place].level
  return rankOf(level) <= rankOf(most) ? level : most
}

/**
 * Provenance of a text that the other place forwards, from its claimed label. Anything but a bare level becomes `secret`, which
 * has no reader.
 */
export function forwardedProvenance(label: string): Provenance {
  const level = isLevel(label) ? label : 'secret'
  return {
    label: labelOf([{ origin: 'home', field: 'text', level, compartment: null }]),
    taint: taintOf('raw', 'home'),
  }
}
