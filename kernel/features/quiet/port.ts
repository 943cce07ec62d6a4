/** Quiet hours, and what was missed (DESIGN §9): what is kept, and what operations may do with it. Types and bounds only. */
import type { Result } from '../../flow/verdict.ts'

/** Milliseconds for which "do not disturb me for …" holds at most: a slip must not silence everything for a year. */
export const LONGEST_QUIET = 7 * 86_400_000

/** Settings of the owner at one place, by name; a value is JSON. Synchronous, like every store. */
export interface SettingReader {
  setting(name: string): string | null
}

export interface SettingStore extends SettingReader {
  /** Null removes it. */
  saveSetting(name: string, value: string | null): void
}

/** Minutes after midnight on the owner's clocks; `to` is exclusive and may be of the next day. */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

export interface Quiet {
  readonly hours: QuietHours | null
  /** Once, until then, epoch milliseconds; null where nothing was said, or it is over. */
  readonly until: number | null
}

/** A setting with what it was before, so that it can be taken back. */
export interface QuietChange {
  readonly now: Quiet
  readonly before: Quiet
}

export interface QuietPort {
  read(): Quiet
  /** `said`: two times of day, a time until which, a length, or none of it for "off". Refusal: quiet_unclear. */
  set(said: string): Result<QuietChange>
}
