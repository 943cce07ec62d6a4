/** The time zone where the owner is (DESIGN §9): their own, or another one until a day. Types only. */
import type { Result } from '../../flow/verdict.ts'

export interface Stay {
  /** IANA name. */
  readonly zone: string
  /** Epoch milliseconds; null until the owner says that they are back. */
  readonly until: number | null
}

/** What a change of the zone did. */
export interface Moved {
  readonly zone: string
  readonly until: number | null
  readonly before: Stay | null
  /** Jobs and reminders that come by the clocks of the new zone from now on. */
  readonly jobs: number
  readonly reminders: number
}

export interface ZonePort {
  /** Null in the owner's own zone. */
  read(): Stay | null
  /** `place`: a city or an IANA name; `until`: words of a day, or null. Refusals: zone_unknown, zone_until_unclear. */
  go(place: string, until: string | null): Result<Moved>
  /** Back to the owner's own zone. */
  back(): Result<Moved>
}
