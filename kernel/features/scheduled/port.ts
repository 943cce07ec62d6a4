/** Calls that wait for their time: their bounds, and how they are listed and cancelled. Types and bounds only. */
import type { Result } from '../../flow/verdict.ts'

/** Calls that wait at once: a loop of a plan must not fill the outbox of a year. */
export const MOST_SCHEDULED = 50
/** Milliseconds ahead: nobody means a mail for a later year. */
export const FARTHEST_LATER = 366 * 86_400_000
/** Milliseconds after its time from which it is said that it is late: more than a timer is ever off. */
export const LATE_AFTER = 120_000
/** Milliseconds to answer where something is asked again because its time is over: the owner may have been away as long as home. */
export const LATE_ANSWER = 86_400_000
/** Milliseconds after its time for which the approved bytes are kept, for the question that is asked then. */
export const HELD_AFTER = 30 * 86_400_000

/** One that waits, as shown to its owner. */
export interface ScheduledView {
  readonly number: number
  /** The words by which it was asked for. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly due: number
}

/** A card with another time was asked for; until its yes nothing has changed. */
export interface MovingView extends ScheduledView {
  /** Epoch milliseconds of the new time. */
  readonly to: number
}

/** The new time, or one before which it is not sent, in the owner's words. */
export interface NewTime {
  readonly when: string | null
  readonly before: string | null
}

/** Whose, and the sink through which it is viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface ScheduledPort {
  /** By their times. */
  list(asking: Asking): Promise<readonly ScheduledView[]>
  /** By a number, or by words of what was asked for. Refusals: later_unknown, later_ambiguous. */
  cancel(asking: Asking, which: string): Promise<Result<ScheduledView>>
  /**
   * Asks about the whole call with another time, by a task of its own. Refusals: those of `cancel`; later_time_unclear, later_past, later_too_far;
   * later_not_before where it is later than that already.
   */
  move(asking: Asking & { readonly message: string }, which: string, to: NewTime): Promise<Result<MovingView>>
  /**
   * What was cancelled waits again, as it was approved. Refusals: later_unknown for any other number, or where its bytes are gone; later_past from its time
   * on; later_full.
   */
  restore(asking: Asking, number: number): Promise<Result<ScheduledView>>
}
