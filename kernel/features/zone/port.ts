/** The time zone where the owner is (DESIGN §9): their own, or another one until a day. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface Stay {
  /** IANA name. */
  readonly zone: string
  /** Epoch milliseconds; null if the stay has no known end. */
  readonly until: number | null
}

/** Result of a change of the zone. */
export interface Moved {
  readonly zone: string
  readonly until: number | null
  readonly before: Stay | null
  /** Jobs and reminders that follow the clock of the new zone from now on. */
  readonly jobs: number
  readonly reminders: number
}

export interface ZonePort {
  /** Null while the owner is in their own zone. */
  read(): Stay | null
  /** `place`: a city or an IANA name. `until`: words of a day, or null. Refusals: zone_unknown, zone_until_unclear. */
  go(place: string, until: string | null): Result<Moved>
  /** Returns to the owner's own zone. */
  back(): Result<Moved>
}
