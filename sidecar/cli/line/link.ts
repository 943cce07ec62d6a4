/**
 * Port of the owner's line to a place, as the terminal uses it, with two implementations: private-link.ts and
 * open-link.ts. Must not print or interpret answers. Called by the commands.
 */

import type { Result } from '../../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../../kernel/operations/operation.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import type { ModelLook } from '../../doctor/model-look.ts'

export type Line = 'private' | 'open'

/** One row of the line's outbox, in the order of release. */
export interface LineDelivery {
  readonly seq: number
  /** Stable per delivery. For a notice that the place sent on its own, the prefix tells its kind. */
  readonly id?: string | undefined
  readonly task: string | null
  readonly kind: 'answer' | 'card' | 'notice'
  readonly approval: string | null
  readonly text: string
}

/** Draft of an answer that is being written. Each replaces the one before; the answer replaces all. */
export interface LineDraft {
  readonly task: string
  readonly text: string
}

export interface LineMessage {
  /** Sending twice under one id has the effect of sending once (B-24), so it may be retried. */
  readonly id: string
  readonly text: string
}

export interface PlaceStatus {
  readonly place: string
  readonly [fact: string]: unknown
}

/** The first questions (O-58), at home only; the open line refuses with approval_place_too_low. */
export interface QuestionsLine {
  /** `due`: whether to ask. `persona`: whether the assistant still has no name and style. */
  state(): Promise<Result<{ readonly due: boolean; readonly persona: boolean }>>
  done(answers: {
    readonly how: 'answered' | 'skipped'
    readonly name: string | null
    readonly style: string | null
  }): Promise<Result<unknown>>
}

/** Every call resolves. A line that is down refuses with `home_offline` (private) or `remote_unavailable` (open). */
export interface Link {
  readonly line: Line
  send(message: LineMessage): Promise<Result<{ readonly task: string }>>
  /**
   * Rows above `after`, oldest first. Waits up to `waitMs` for the first, then returns an empty list. `drafts`: a new
   * draft also ends the wait.
   */
  deliveries(after: number, waitMs: number, drafts?: 'drafts'): Promise<Result<readonly LineDelivery[]>>
  /** The newest draft received; null before the first. */
  draft(): LineDraft | null
  report(task: string): Promise<Result<TaskReport>>
  stop(task: string): Promise<Result<{ readonly task: string }>>
  /**
   * Checks home's models. `ollama`: its origin on this machine; null for the configured one. The open line refuses with
   * approval_place_too_low.
   */
  doctor(ollama: string | null): Promise<Result<ModelLook>>
  /** Calls an operation by its definition. Arguments are validated at the other end, the result here. */
  call<A, R>(operation: TypedOperation<A, R>, args: A): Promise<Result<R>>
  readonly questions: QuestionsLine
  status(): Promise<Result<PlaceStatus>>
  close(): void
}

/** Whether a refusal means that the place cannot be reached, so that a later retry may succeed. */
export function isOffline({ line }: Pick<Link, 'line'>, code: ReasonCode): boolean {
  return code === (line === 'private' ? 'home_offline' : 'remote_unavailable')
}
