/**
 * What a channel may show while a task is being worked on (C-32): that somebody writes, and how far it is. Nothing depends on it,
 * and it may be lost. Implemented by a place's sender; called by pipeline/deliver.ts alone.
 */
import type { Result } from '../../flow/verdict.ts'

/**
 * All that places tell each other of a step: no argument, no result. Frozen with the wire: an action without a word of this list is `working`
 * there, and its own words are those of its declaration.
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

/** Which of its steps is under way, counted from 1, the answer among them; of how many: 0 before there is a plan. */
export interface HowFar {
  readonly doing: Doing
  /** Of the action that runs, by its declaration; never sent to the other place. */
  readonly words?: string
  readonly step: number
  readonly steps: number
  /** The numbers are those of the plan that he was shown. */
  readonly shown?: true
}

export interface Work {
  readonly sink: string
  readonly task: string
}

/** `how`: null where nothing of it may be said in this chat. */
export interface Working extends Work {
  readonly how: HowFar | null
}

export interface WorkPort {
  /** It goes on. `event`: what the task came of. */
  working(work: Working & { readonly event: string }): void
  /** Nothing runs for it now. `back`: it goes on by itself, so what says how far it is may stay. Never rejects. */
  rests(work: Work & { readonly back: boolean }): Promise<void>
  /**
   * The other place is at it, as it says now (epoch milliseconds): shown once, and no clock runs here for it. Refusals: sink_unknown;
   * remote_rate_limited where the chat was told just before, or this place is at it itself.
   */
  elsewhere?(work: Working & { readonly now: number }): Promise<Result<true>>
}
