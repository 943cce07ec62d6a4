/**
 * The owner's health data as the health tool may read it, and the stored form of days. Types only: home implements it, where the
 * data is stored sealed (sidecar/health). Must not name a device or a person. Called by run.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Activity, Measure } from './measures.ts'
import type { Period } from './period.ts'
import type { HealthSource } from './sources.ts'

/** In the unit of its measure. `low`, `high`, `samples`: for values that were measured several times. */
export interface DayValue {
  readonly value: number
  readonly low?: number
  readonly high?: number
  readonly samples?: number
}

export type DayValues = { readonly [M in Measure]?: DayValue }

export interface Workout {
  /** `2026-11-26`, `18:05`: local time of the place where it was measured. */
  readonly day: string
  readonly at: string
  readonly activity: Activity
  readonly minutes: number
  readonly km?: number
  readonly kcal?: number
}

export interface HealthMonth {
  /** `2026-11`. */
  readonly month: string
  /** Values by date. */
  readonly days: Readonly<Record<string, DayValues>>
  readonly workouts: readonly Workout[]
}

/** There is one per month and source. */
export interface KeptMonth extends HealthMonth {
  readonly source: HealthSource
}

/** Refusals of both methods: health_none before anything was imported; record_unreadable. */
export interface HealthPort {
  /** Today's date where the owner is. */
  today(): string
  /** The last day with any data. */
  through(): Promise<Result<string>>
  /** Months with a day between the dates `from` and `to`, inclusive; oldest first, without days outside of them. */
  read(from: string, to: string): Promise<Result<readonly KeptMonth[]>>
}

/**
 * The same store for a package that fetches days: it may write days of its own source, but read none. Refusals:
 * record_unreadable.
 */
export interface HealthKeeper {
  today(): string
  /** The local date of the owner at that moment (epoch milliseconds). */
  dayAt(at: number): string
  /** The first and last stored day of this source; null if there is none. */
  known(source: HealthSource): Promise<Result<Period | null>>
  /**
   * Replaces everything stored for this source in the period. Ignores dates outside of it, implausible values, and days without a
   * value. Returns the stored days in order, and how many of them are new.
   */
  replace(
    source: HealthSource,
    period: Period,
    days: Readonly<Record<string, DayValues>>,
  ): Promise<Result<{ readonly days: readonly string[]; readonly fresh: number }>>
}
