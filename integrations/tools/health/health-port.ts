/**
 * The owner's health data as the health tool may read it, and the form in which days are kept. Types only: home implements it, where the data lies
 * sealed (sidecar/health). Must not name a device or a person. Called by run.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Activity, Measure } from './measures.ts'
import type { Period } from './period.ts'
import type { HealthSource } from './sources.ts'

/** In the unit of its measure. `low`, `high`, `samples`: of what was measured several times. */
export interface DayValue {
  readonly value: number
  readonly low?: number
  readonly high?: number
  readonly samples?: number
}

export type DayValues = { readonly [M in Measure]?: DayValue }

export interface Workout {
  /** `2026-11-26`, `18:05`: on the clock where it was. */
  readonly day: string
  readonly at: string
  readonly activity: Activity
  readonly minutes: number
  readonly km?: number
  readonly kcal?: number
}

export interface HealthMonth {
  /** `2026-11` */
  readonly month: string
  /** By date. */
  readonly days: Readonly<Record<string, DayValues>>
  readonly workouts: readonly Workout[]
}

/** A month has one for each source that knows it. */
export interface KeptMonth extends HealthMonth {
  readonly source: HealthSource
}

/** Refusals of both: health_none before anything was imported; record_unreadable. */
export interface HealthPort {
  /** Today's date where the owner is. */
  today(): string
  /** The last day of which anything is known. */
  through(): Promise<Result<string>>
  /** Those with a day from `from` to `to`, dates, both included; oldest first, and no day beside them. */
  read(from: string, to: string): Promise<Result<readonly KeptMonth[]>>
}

/** The same store, for a package that fetches days: it may put days of its own source there, and see none. Refusals: record_unreadable. */
export interface HealthKeeper {
  today(): string
  /** The date where the owner is at that moment (epoch milliseconds). */
  dayAt(at: number): string
  /** The first and the last day that are kept of this source; null before there is any. */
  known(source: HealthSource): Promise<Result<Period | null>>
  /**
   * In place of all that was kept of this source in the period: its dates alone, values that a body has, days with one of them. Returns the days that are kept,
   * in order, and how many of them were not there before.
   */
  replace(
    source: HealthSource,
    period: Period,
    days: Readonly<Record<string, DayValues>>,
  ): Promise<Result<{ readonly days: readonly string[]; readonly fresh: number }>>
}
