/**
 * Quiet hours, and what was missed (DESIGN §9): the stored settings, and what operations may do with them. Types and bounds only.
 */
import type { Result } from '../../flow/verdict.ts'

/** Maximum milliseconds of "do not disturb me for …": a slip must not silence everything for a year. */
export const LONGEST_QUIET = 7 * 86_400_000

/** Settings of the owner at one place, by name; a value is JSON. Synchronous, like every store. */
export interface SettingReader {
  setting(name: string): string | null
}

export interface SettingStore extends SettingReader {
  /** Null removes it. */
  saveSetting(name: string, value: string | null): void
}

/** Minutes after midnight by the owner's clock; `to` is exclusive and may be on the next day. */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

export interface Quiet {
  readonly hours: QuietHours | null
  /** End of a single quiet time, epoch milliseconds; null if none was set, or it is over. */
  readonly until: number | null
}

/** A setting and its former value, so that the change can be undone. */
export interface QuietChange {
  readonly now: Quiet
  readonly before: Quiet
}

export interface QuietPort {
  read(): Quiet
  /** `said`: two times of day, an end time, a length, or words for "off". Refusal: quiet_unclear. */
  set(said: string): Result<QuietChange>
}
