/**
 * The owner's line to a place, as the terminal sees it: one port, two implementations (private-link.ts for the private
 * line, open-link.ts for the open line). Must not print and must not interpret answers. Called by the commands.
 */

import type { Result } from '../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../kernel/operations/operation.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import type { ModelLook } from '../doctor/model-look.ts'

export type Line = 'private' | 'open'

/** One row of the line's outbox, in the order in which it was released. */
export interface LineDelivery {
  readonly seq: number
  /** Stable per delivery; begins with what it is, where the place told it of its own accord. */
  readonly id?: string | undefined
  readonly task: string | null
  readonly kind: 'answer' | 'card' | 'notice'
  readonly approval: string | null
  readonly text: string
}

/** What there is of an answer that is still being written: each takes the place of the one before, the answer that of all. */
export interface LineDraft {
  readonly task: string
  readonly text: string
}

export interface LineMessage {
  /** Sending twice under one id is sending once (B-24), so a lost reply may be tried again. */
  readonly id: string
  readonly text: string
}

export interface PlaceStatus {
  readonly place: string
  readonly [fact: string]: unknown
}

/** The first questions (O-58); they are home's, and the open line refuses with approval_place_too_low. */
export interface QuestionsLine {
  /** Whether they are to be put, and whether the assistant has no name and manner of its own yet. */
  state(): Promise<Result<{ readonly due: boolean; readonly persona: boolean }>>
  done(answers: {
    readonly how: 'answered' | 'skipped'
    readonly name: string | null
    readonly style: string | null
  }): Promise<Result<unknown>>
}

/** Every call resolves; a line that is down refuses with `home_offline` (private) or `remote_unavailable` (open). */
export interface Link {
  readonly line: Line
  send(message: LineMessage): Promise<Result<{ readonly task: string }>>
  /**
   * Rows above `after`, oldest first; waits up to `waitMs` for the first and answers with none after that. `drafts`: a new
   * draft ends the wait as well.
   */
  deliveries(after: number, waitMs: number, drafts?: 'drafts'): Promise<Result<readonly LineDelivery[]>>
  /** The newest draft that came with them; null before there is one. */
  draft(): LineDraft | null
  report(task: string): Promise<Result<TaskReport>>
  stop(task: string): Promise<Result<{ readonly task: string }>>
  /** How home's models do; `ollama`: origin on this machine, null for where it is set up. The open line refuses with approval_place_too_low. */
  doctor(ollama: string | null): Promise<Result<ModelLook>>
  /** Any operation, by its definition. Its arguments are checked at the other end, and what comes back here. */
  call<A, R>(operation: TypedOperation<A, R>, args: A): Promise<Result<R>>
  readonly questions: QuestionsLine
  status(): Promise<Result<PlaceStatus>>
  close(): void
}

/** Whether a refusal means that nobody is at the line's other end, so that trying again later makes sense. */
export function isOffline({ line }: Pick<Link, 'line'>, code: ReasonCode): boolean {
  return code === (line === 'private' ? 'home_offline' : 'remote_unavailable')
}
