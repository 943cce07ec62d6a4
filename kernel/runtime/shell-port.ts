/**
 * Interfaces of the shell, one per group of functions, so that each caller depends only on what it uses. Types only.
 * Implemented by shell.ts, called by both places and by channels.
 */

import type { Decided } from '../features/approvals/decisions.ts'
import type { Lasting, OtherWords, Proposed, Proposer } from '../features/approvals/port.ts'
import type { Deliveries } from '../features/deliveries/outbox.ts'
import type { WaitingView } from '../features/deliveries/resend.ts'
import type { Version } from '../features/deliveries/withdraw.ts'
import type { IdentityLinks } from '../features/identities/identity-links.ts'
import type { People } from '../features/people/people.ts'
import type { HomeAnswer } from '../features/places/home-port.ts'
import type { Chosen } from '../features/reminders/choices.ts'
import type { Result } from '../flow/verdict.ts'
import type { DecisionInput } from '../task/approval.ts'
import type { Pause } from '../task/pause.ts'
import type { Received } from './intake.ts'
import type { TaskReport } from './report.ts'

export interface Intake {
  /**
   * Takes an event in: validates, derives the principal, deduplicates, seals, creates the task. Never runs it. `only`: the
   * principal whose namespace this is, at a place with one for each; others are refused. `alone`: home is not called for it.
   */
  receive(input: unknown, only?: string, alone?: boolean): Promise<Result<Received>>
  /**
   * The other place answers a new version of a message: ends what its former versions asked here, as if the version
   * had arrived here. The caller runs the principal's lane afterwards.
   */
  withdraw(version: Version): Promise<void>
}

/** Runs work: the engine of home, the driver of an edge object. */
export interface Running {
  /** Runs everything runnable of a principal, in turn order, until idle. Concurrent calls join one run. */
  run(principal: string): Promise<void>
  /**
   * Replaces older turns by notes when a conversation fills its window (O-34). Called after a run and not awaited;
   * after a crash it is due again with the next run. Rejects only when storage fails.
   */
  compact(principal: string): Promise<void>
  /** After a restart: runs every principal with open work; rows found started are repeated or reported. */
  recover(): Promise<void>
  /** Ends what has expired; returns when to call it next (epoch ms), or null. */
  tick(): Promise<number | null>
  /** Deletes expired data, except what waits during a pause. */
  expire(): void
}

/** The owner's answers to questions. */
export interface Deciding {
  /**
   * Records the owner's answer. Repeating the same answer changes nothing and returns the first result. The caller
   * runs the principal's lane afterwards. `onCard`: answered by a tap on the card, which the caller closes.
   */
  decide(input: DecisionInput, onCard?: boolean): Promise<Result<Decided>>
  /**
   * Asks the request of a question that expired once more. The caller runs the principal's lane afterwards. Refusals:
   * approval_unknown, approval_spent; those of opening its words.
   */
  again(approval: string): Promise<Result<{ readonly principal: string }>>
  /** Replaces the text in question (F-11). The caller runs the principal's lane afterwards. */
  edit(input: OtherWords): Promise<Result<Decided>>
  /** Removes rows from a list in question (F-11). `onCard` as above. Refusals: those of `leaveOutOf`. */
  leaveOut(
    input: Omit<DecisionInput, 'decision'> & { readonly rows: string },
    onCard?: boolean,
  ): Promise<Result<Decided>>
  /**
   * Proposes a standing grant for the shape of a waiting call; the owner must approve it in another message (F-17,
   * F-19).
   */
  always(proposer: Proposer, terms: Lasting & { readonly approval: string }): Promise<Result<Proposed>>
}

/** The owner's taps on buttons of messages that are no questions. */
export interface Choosing {
  /**
   * Carries out an action offered below a delivery, once; the message then shows the
   * outcome. `late`: the offer had ended. Refusals: those of `reminders.answer`.
   */
  choose(tap: { readonly delivery: string; readonly choice: string }): Promise<Result<Chosen>>
}

/** One chat bot for both lines. */
export interface Acknowledging {
  /** Proposes that home may also answer in the owner's chat with the edge's bot (DESIGN §1). */
  acknowledgeTransport(proposer: Proposer, sink: string): Promise<Result<Proposed>>
  /** Effective at once, without approval, because it widens nothing. Refusal: grant_missing. */
  revoke(grant: string, principal: string): Promise<Result<{ readonly grant: string }>>
}

/** Input that does not come from a chat. */
export interface Arrivals {
  /** A credential was added or removed: continues tasks whose service is connected now (L-12). */
  connected(): Promise<void>
  /** Passes home's answer to its task, durably; the caller runs the lane afterwards. Duplicates are ignored. */
  homeAnswered(answer: HomeAnswer): Promise<void>
}

export interface Tasks {
  /**
   * Ends a task with what is done so far, and notifies the person. Refusals: task_unknown; task_already_answering for
   * one whose answer is under way or delivered.
   */
  stop(task: string): Promise<Result<{ task: string }>>
  report(task: string): Promise<TaskReport | null>
}

/** What is paused or waiting. */
export interface Holding {
  /** Null when not paused. */
  paused(): Pause | null
  /** Deliveries that wait for an unreachable chat, of all principals here. */
  waiting(): readonly WaitingView[]
}

/** Identities and people. */
export interface Circle {
  /** Which principals are one person (F-15, F-16). */
  readonly identities: IdentityLinks
  /** Other people with access, as the owner agreed (B-04). */
  readonly people: People
}

export interface Delivered {
  readonly deliveries: Deliveries
}

export interface Shell
  extends Intake,
    Running,
    Deciding,
    Choosing,
    Acknowledging,
    Arrivals,
    Tasks,
    Holding,
    Circle,
    Delivered {}
