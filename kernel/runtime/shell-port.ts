/**
 * What the shell does for those around it, by noun, so that each takes what it uses. Types alone. Implemented by shell.ts, called by both places
 * and by channels.
 */

import type { Decided } from '../features/approvals/decisions.ts'
import type { Lasting, OtherWords, Proposed, Proposer } from '../features/approvals/port.ts'
import type { Deliveries } from '../features/deliveries/outbox.ts'
import type { WaitingView } from '../features/deliveries/resend.ts'
import type { Version } from '../features/deliveries/withdraw.ts'
import type { IdentityLinks } from '../features/identities/identity-links.ts'
import type { People } from '../features/people/people.ts'
import type { HomeAnswer } from '../features/places/home-port.ts'
import type { Result } from '../flow/verdict.ts'
import type { DecisionInput } from '../task/approval.ts'
import type { Pause } from '../task/pause.ts'
import type { Received } from './intake.ts'
import type { TaskReport } from './report.ts'

export interface Intake {
  /**
   * Intake only: validates, derives the principal, deduplicates, seals, creates the task. Never runs it. `only`
   * names the principal whose namespace this is, where a place keeps one for each; others are refused. `alone`: home is not asked for it.
   */
  receive(input: unknown, only?: string, alone?: boolean): Promise<Result<Received>>
  /**
   * A version of a message that the other place answers: what its former ones asked for here is asked no more, as if it had come here.
   * The caller runs the principal's lane afterwards.
   */
  withdraw(version: Version): Promise<void>
}

/** What makes work go on: the engine of home, the driver of an object. */
export interface Running {
  /** Drives everything runnable of a principal, in turn order, until idle. Concurrent calls join one run. */
  run(principal: string): Promise<void>
  /**
   * Puts notes in the place of older turns where a conversation fills its window (O-34). For after a run, and nobody waits
   * for it; cut off by a crash, it is due again after the next run. Never rejects but when storage fails.
   */
  compact(principal: string): Promise<void>
  /** After a start: runs every principal that has open work; what was found started is re-run or reported. */
  recover(): Promise<void>
  /** Expires what has expired; returns the next moment to call it (epoch ms), or null. */
  tick(): Promise<number | null>
  /** Deletes what has had its time, and nothing that waits while they pause. */
  expire(): void
}

/** The owner's answers to what was asked. */
export interface Deciding {
  /** Records the owner's answer; the same answer again changes nothing and is told as the first. The caller runs the principal's lane afterwards. `onCard`: by the card itself, which its caller closes. */
  decide(input: DecisionInput, onCard?: boolean): Promise<Result<Decided>>
  /** Other words for a text that is asked about (F-11). The caller runs the principal's lane afterwards. */
  edit(input: OtherWords): Promise<Result<Decided>>
  /** Puts a standing grant for the shape of a waiting call to the owner; it needs their yes in another message (F-17, F-19). */
  always(proposer: Proposer, terms: Lasting & { readonly approval: string }): Promise<Result<Proposed>>
}

/** One bot for both lines. */
export interface Acknowledging {
  /** The same for their chat with the edge's bot, by which home may then answer (DESIGN §1). */
  acknowledgeTransport(proposer: Proposer, sink: string): Promise<Result<Proposed>>
  /** Takes effect at once; nothing is asked, as it widens nothing. Refusal: grant_missing. */
  revoke(grant: string, principal: string): Promise<Result<{ readonly grant: string }>>
}

/** What came from outside of the chats. */
export interface Arrivals {
  /** A credential came or went: what waits for a service that is connected by now goes on (L-12). */
  connected(): Promise<void>
  /** Hands home's answer to its task, durably; the caller runs the lane afterwards. A second delivery changes nothing. */
  homeAnswered(answer: HomeAnswer): Promise<void>
}

export interface Tasks {
  /**
   * Ends a task with what is done so far, and tells the person. Refusals: task_unknown; task_already_answering for one
   * whose answer is under way or given.
   */
  stop(task: string): Promise<Result<{ task: string }>>
  report(task: string): Promise<TaskReport | null>
}

/** What keeps work from going on. */
export interface Holding {
  /** Null while work goes on. */
  paused(): Pause | null
  /** What waits for a chat that cannot be reached; of all principals that are here. */
  waiting(): readonly WaitingView[]
}

/** Who is who. */
export interface Circle {
  /** Which principals are one person (F-15, F-16). */
  readonly identities: IdentityLinks
  /** Who else may have something, as the owner agreed (B-04). */
  readonly people: People
}

export interface Delivered {
  readonly deliveries: Deliveries
}

export interface Shell
  extends Intake,
    Running,
    Deciding,
    Acknowledging,
    Arrivals,
    Tasks,
    Holding,
    Circle,
    Delivered {}
