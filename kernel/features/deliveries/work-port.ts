/**
 * What a channel may show while a task runs: typing state and current step (C-32), and the answer while it is written
 * (D-10). Nothing depends on it, and it may be lost. Implemented by each place's sender; called by deliver.ts only.
 */
import type { Result } from '../../flow/verdict.ts'

/**
 * Everything that the places tell each other about a step: no argument, no result. Part of the wire format. An action
 * without a word in this list is sent as `working`; its own words come from its declaration.
 */
export const DOINGS = [
  'thinking',
  'searching_mail',
  'reading_message',
  'looking_at_calendar',
  'writing_to_calendar',
  'reading_page',
  'noting',
  'looking_in_memory',
  'writing_answer',
  'writing',
  'choosing',
  'working',
] as const

export type Doing = (typeof DOINGS)[number]

/** Number of the current step, from 1, including the answer; total number of steps: 0 before there is a plan. */
export interface WorkProgress {
  readonly doing: Doing
  /** Words of the running action, from its declaration; never sent to the other place. */
  readonly words?: string
  readonly step: number
  readonly steps: number
  /** The numbers are those of the plan that the owner was shown. */
  readonly shown?: true
}

interface Work {
  readonly sink: string
  readonly task: string
}

/** `how`: null when this chat may not learn it. */
export interface Working extends Work {
  readonly how: WorkProgress | null
}

export interface WorkPort {
  /** Work continues. `event`: event that the task was created from. */
  working(work: Working & { readonly event: string }): void
  /** No step runs for it now. `back`: it will continue by itself, so the progress line may stay. Never rejects. */
  rests(work: Work & { readonly back: boolean }): Promise<void>
  /**
   * The other place is working on it, as of `now` (epoch milliseconds); shown once, without a timer. Refusals:
   * sink_unknown; remote_rate_limited when the chat was updated just before, or this place is working on it itself.
   */
  elsewhere?(work: Working & { readonly now: number }): Promise<Result<true>>
}

export interface Draft {
  readonly sink: string
  readonly task: string
  /** All of the answer so far that may be shown, guarded and released like the answer itself. */
  readonly text: string
}

export interface DraftPort {
  /** Whether anybody is viewing this chat now; guarding an unseen draft is wasted work. */
  watched(sink: string): boolean
  show(draft: Draft): void
}
