/**
 * Reminders and tasks: what is kept of each, their bounds, and the store (DESIGN §9). The text is sealed; a row holds its reference,
 * times and numbers. Types and bounds only.
 */
import type { Result } from '../../flow/verdict.ts'
import type { SealedRef } from '../../task/task.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import type { Repeat, RepeatKind } from './repeat.ts'

/** UTF-16 units of one text: it is read in a chat, not a document. */
export const REMINDER_TEXT_MAX = 500
/** Reminders, and tasks, that one result lists: more is counted. */
export const MOST_LISTED = 25
/** Open reminders and tasks of one principal, together: a loop of a plan must not fill the disk. */
export const MOST_REMINDERS = 500
/** Milliseconds ahead: the years that a date reading can name. */
export const FARTHEST = 10 * 366 * 86_400_000
/** Milliseconds after its time from which a reminder says that it is late: more than a timer or an alarm is ever off. */
export const LATE_AFTER = 120_000
/** Milliseconds in which a delivered reminder can be put off; then it is deleted. */
export const FIRED_KEPT = 7 * 86_400_000
/** Milliseconds in which what was done or cancelled can be taken back; then it is deleted. As long as `/undo` looks back. */
export const ENDED_KEPT = 86_400_000

/** What the owner can say to a reminder that came. */
export const CHOICES = Object.freeze(['done', 'hour', 'tomorrow'] as const)
export type Choice = (typeof CHOICES)[number]

/** What a change of the owner's replaced, so that it can be taken back. */
export type ReminderBefore = Pick<Reminder, 'due' | 'repeat' | 'state' | 'answered'> &
  Partial<Pick<Reminder, 'local'>>

export interface Reminder {
  readonly id: string
  readonly principal: string
  /** From 1, in one sequence for reminders and tasks; never reused. */
  readonly number: number
  readonly kind: 'reminder' | 'task'
  /** Chat in which it was made, and in which it is delivered. */
  readonly sink: string
  readonly ref: SealedRef
  /** Epoch milliseconds; null for a task. */
  readonly due: number | null
  readonly repeat: Repeat | null
  /** `fired`: a single reminder that was delivered. `ended`: done or cancelled, kept for a while so that it can be taken back. */
  readonly state: 'open' | 'fired' | 'ended'
  /** When it was delivered last, epoch milliseconds. */
  readonly firedAt: number | null
  readonly at: number
  /** Due time of the occurrence that was delivered last, epoch milliseconds; its delivery is named by it. */
  readonly occurrence: number | null
  /** How the owner answered that occurrence; null while it is unanswered. */
  readonly answered: 'done' | 'later' | null
  /** When it was done or cancelled, epoch milliseconds. */
  readonly endedAt: number | null
  readonly before: ReminderBefore | null
  /** Local time of one that was set by the clock, `2026-11-27 13:00`: it follows the owner's zone. Null for a length of time, and for a task. */
  readonly local: string | null
  /** Name of the list that a task is on, as the owner said it; null for the owner's own list, and for a reminder. */
  readonly list: string | null
}

/** Fields that change in the life of a reminder. */
export type ReminderChange = Pick<
  Reminder,
  | 'id'
  | 'ref'
  | 'due'
  | 'repeat'
  | 'state'
  | 'firedAt'
  | 'occurrence'
  | 'answered'
  | 'endedAt'
  | 'before'
  | 'local'
>

/** Synchronous, like every store. */
export interface ReminderStore {
  /** Returns the number that it got. */
  addReminder(reminder: Omit<Reminder, 'number'>): number
  /** Of a delivered occurrence, which names it. */
  reminderOf(id: string): Reminder | null
  /** Stores what changes in its life. */
  saveReminder(reminder: ReminderChange): void
  /** The caller deletes its sealed row. */
  dropReminder(id: string): void
  /** Open ones: reminders by due time, tasks by number, those of the owner's own list before those of each other one. */
  openReminders(principal: string, kind: Reminder['kind']): readonly Reminder[]
  reminderNumbered(principal: string, number: number): Reminder | null
  countReminders(principal: string): number
  /** Of all principals, open and due by then, the earliest first. */
  dueReminders(now: number, limit: number): readonly Reminder[]
  /** When the next one is due; null when none is. */
  nextReminder(): number | null
  /** The one delivered last in this chat since then, unless it has ended. */
  firedLast(principal: string, sink: string, since: number): Reminder | null
  /** Those that came since then and have no answer, the earliest first. */
  unanswered(principal: string, since: number): readonly Reminder[]
  /** Single ones that were delivered before `fired`, and those that ended before `ended`. */
  over(before: { readonly fired: number; readonly ended: number }, limit: number): readonly Reminder[]
}

/** Whether the edge may know when private reminders are due. */
export interface SharedTimes {
  /** Sends an approval card. Refusals: nothing_found where it is allowed already, and those of a proposal. */
  allow(proposer: Proposer): Promise<Result<Proposed>>
  /** Effective at once, because it widens nothing. Refusals: grant_missing, approval_wrong_principal. */
  withdraw(principal: string): Promise<Result<{ readonly grant: string }>>
}

/** One reminder or task, as shown to its owner. */
export interface ReminderView {
  readonly number: number
  readonly kind: Reminder['kind']
  readonly text: string
  readonly due: number | null
  readonly repeat: RepeatKind | null
  /** As in `Repeat`; 1 where nothing repeats. */
  readonly every: number
  /** Its last day, `2026-12-24`; null without an end. */
  readonly ends: string | null
  readonly chat: string
  /** As in `Reminder`. */
  readonly list: string | null
}

/** Whose, and the sink through which it is viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface Reminders {
  /** Those that came within so many milliseconds and have no answer, as far as `sink` may show them; `due` is when they came. */
  unanswered(asking: Asking, within: number): Promise<readonly ReminderView[]>
  /** Those that `sink` may show. */
  list(asking: Asking, kind: Reminder['kind']): Promise<readonly ReminderView[]>
  /**
   * Tasks are done, reminders end. `said`: a number, a place in the list, "that", or words of one or of several; `list`: of this one alone. Refusals:
   * reminder_unknown; reminder_several where words fit more than one, and for a place where there are several lists.
   */
  end(
    asking: Asking,
    kind: Reminder['kind'],
    said: string,
    list?: string | null,
  ): Promise<Result<readonly ReminderView[]>>
  /**
   * To another time, with its repetition. Refusals: those of `end`; reminder_time_unclear, reminder_past, reminder_too_far.
   */
  move(asking: Asking, said: string, when: string): Promise<Result<ReminderView>>
  /**
   * Puts off one occurrence: of the reminder with this number, else of the one delivered last in this chat. Refusals: reminder_none_fired, reminder_unknown,
   * reminder_past, reminder_too_far.
   */
  later(asking: Asking, when: string, number?: number): Promise<Result<ReminderView>>
  /** The owner's answer to the occurrence that came last. Refusals: reminder_unknown; reminder_answered where it has one. */
  answer(asking: Asking, number: number, choice: Choice): Promise<Result<ReminderView>>
  /** Takes back the last change of each, by number; once more makes it again. Refusal: reminder_unknown. */
  restore(asking: Asking, numbers: readonly number[]): Promise<Result<readonly ReminderView[]>>
}
