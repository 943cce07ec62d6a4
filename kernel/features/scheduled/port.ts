/** Calls that wait for their time: their bounds, and how they are listed and cancelled. Types and bounds only. */
import type { Result } from '../../flow/verdict.ts'

/** Maximum calls that wait at once: a loop in a plan must not fill the outbox for a year. */
export const MOST_SCHEDULED = 50
/** Maximum milliseconds ahead: nobody schedules a mail for a later year. */
export const FARTHEST_LATER = 366 * 86_400_000
/** Milliseconds of delay from which the owner is told that the call is late; a timer is never off by as much. */
export const LATE_AFTER = 120_000
/**
 * Milliseconds to answer a question that is asked again because its time is over: the owner may have been away as long as home.
 */
export const LATE_ANSWER = 86_400_000
/** Milliseconds for which the approved bytes are kept after the time, for the question that is asked then. */
export const HELD_AFTER = 30 * 86_400_000

/** A waiting call, as shown to its owner. */
export interface ScheduledView {
  readonly number: number
  /** To whom it goes, and its subject; where it has none, the words of the request. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly due: number
}

/** A card about another time was requested; nothing changes before its approval. */
export interface MovingView extends ScheduledView {
  /** Epoch milliseconds of the new time. */
  readonly to: number
}

/** The new time, or a time until which it must not be sent, in the owner's words. */
export interface NewTime {
  readonly when: string | null
  readonly before: string | null
}

/** Whose calls, and the sink through which they are viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface ScheduledPort {
  /** Sorted by time. */
  list(asking: Asking): Promise<readonly ScheduledView[]>
  /** `which`: a number, or words of the request, of the recipients or the subject. Refusals: later_unknown, later_ambiguous. */
  cancel(asking: Asking, which: string): Promise<Result<ScheduledView>>
  /**
   * Asks about the whole call with another time, by a task of its own. Refusals: those of `cancel`; later_time_unclear,
   * later_past, later_too_far; later_not_before if the call is later than that already.
   */
  move(asking: Asking & { readonly message: string }, which: string, to: NewTime): Promise<Result<MovingView>>
  /**
   * Restores a cancelled call, as it was approved. Refusals: later_unknown for any other number, or if its bytes are deleted;
   * later_past once its time has passed; later_full.
   */
  restore(asking: Asking, number: number): Promise<Result<ScheduledView>>
}
