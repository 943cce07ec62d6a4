/**
 * Outcomes: what a shell reports to the machine after it ran an effect, or after an outside event. The machine checks each
 * against the task's state; one that does not fit changes nothing (machine.ts).
 */
import type { Provenance } from '../flow/labeled.ts'
import type { Refusal } from '../flow/verdict.ts'
import type { CapabilityToken } from './capability.ts'
import type { ModelVerb, Plan, ToolStep } from './plan.ts'
import type { Edit, Literals, QueuedCall, SealedRef, StepResult } from './task.ts'

export type Outcome =
  /** `said` is null if no step refers to it. */
  | { readonly got: 'extracted'; readonly said: SealedRef | null; readonly needsTools: boolean }
  | {
      readonly got: 'planned'
      readonly round: number
      readonly plan: Plan
      readonly planner: string
      readonly provenance: Provenance
      /** Sealed numbers and text of this plan only. */
      readonly literals?: Pick<Literals, 'ref' | 'count'>
      /** Placeholder of what a model left out of its plan and why, in its words. */
      readonly leftOut?: string
      /** Set if the plan covers less than the request; the answer then says so. */
      readonly short?: 'plan_empty' | 'request_in_part' | 'request_left_out'
      /** Code made the plan, and a model could plan too: it does if the plan does not find what was meant. */
      readonly otherwise?: true
    }
  | { readonly got: 'plan_failed'; readonly round: number; readonly reason: Refusal }
  /** The plan may run from this step on: the owner agreed, or it is not shown. */
  | { readonly got: 'agreed'; readonly step: number }
  /** Verdict of `authorize` on the current step. */
  | {
      readonly got: 'authorized'
      readonly step: number
      readonly token: CapabilityToken
      readonly semantics: 'read' | 'write'
      /** For the lookup right before a write (I-14). */
      readonly look?: CapabilityToken
    }
  | {
      readonly got: 'needs_approval'
      readonly step: number
      readonly approval: string
      readonly reason: Refusal
    }
  /** The time of a scheduled call has come. `approval` is null if it is so late that the owner is asked again. */
  | { readonly got: 'due'; readonly approval: string | null }
  | { readonly got: 'needs_home'; readonly step: number }
  /** The first wait for home timed out. The call stays queued, and the owner may choose an answer without home. */
  | { readonly got: 'queued'; readonly step: number; readonly queued: QueuedCall }
  /**
   * Another task answers the same words instead of this one. For a recording that was not transcribed yet: if the owner
   * approves the transcript.
   */
  | { readonly got: 'replaced'; readonly choice: string }
  /** With `approval`, the owner is asked for the credential and the step waits. */
  | {
      readonly got: 'needs_credential'
      readonly step: number
      readonly service: string
      readonly approval?: string
    }
  | { readonly got: 'denied'; readonly step: number; readonly reason: Refusal }
  | { readonly got: 'skipped'; readonly step: number }
  /** A step without a call: `select` or `compute` was resolved, or `forEach` was expanded into tool steps that run next. */
  | { readonly got: 'selected'; readonly step: number; readonly result: StepResult }
  /** `chosen`: provenance of the list. */
  | {
      readonly got: 'expanded'
      readonly step: number
      readonly steps: readonly ToolStep[]
      readonly chosen?: Provenance
    }
  | { readonly got: 'ready'; readonly step: number; readonly verb: ModelVerb }
  /** A call, or a step that a model without tools works on, ended. */
  | { readonly got: 'result'; readonly step: number; readonly result: StepResult; readonly label: string }
  | { readonly got: 'failed'; readonly step: number; readonly reason: Refusal }
  /** A write was found started after a crash, with an unknown result. It is never repeated. */
  | { readonly got: 'unknown'; readonly step: number }
  | { readonly got: 'asked'; readonly step: number; readonly approval: string }
  | { readonly got: 'approved'; readonly approval: string }
  | { readonly got: 'refused'; readonly approval: string; readonly reason: Refusal }
  /** The owner edited texts of the call. It is authorised and asked about again. */
  | { readonly got: 'edited'; readonly approval: string; readonly edits: readonly Edit[] }
  /** The owner left rows of a list out. The step is authorised and asked about again. */
  | {
      readonly got: 'left_out'
      readonly approval: string
      readonly argument: string
      readonly rows: readonly number[]
    }
  /** An approval expired, unanswered or unspent, while work was paused. It is asked again. */
  | { readonly got: 'lapsed'; readonly approval: string }
  /** Every search by words found nothing, and a model may plan once more. */
  | { readonly got: 'unfound' }
  | { readonly got: 'synthesized'; readonly answer: SealedRef; readonly model: string }
  | { readonly got: 'synthesis_failed'; readonly reason: Refusal }
  /** The channel accepted the answer, or it is queued for its chat. The task continues to its end. */
  | { readonly got: 'delivered' }
  | { readonly got: 'delivery_denied'; readonly reason: Refusal }
  | { readonly got: 'remembered' }
  | { readonly got: 'stopped' }
  /**
   * Another task answers what the person says now: an edited message, or (`remembers`)
   * an answer other than the options. This task does nothing more and sends nothing.
   */
  | { readonly got: 'withdrawn'; readonly remembers?: true }
  /** The shell could not run the current effect (lost storage, a bug). The person is told, and the task ends. */
  | { readonly got: 'faulted'; readonly reason: Refusal }

/** An outcome, with the writes that must be in the same transaction as its transition. */
export interface Reported {
  readonly outcome: Outcome
  readonly commit?: () => void
}

/** Takes outcomes from outside for tasks: a decision, an answer from home, a stop. Runs nothing. */
export interface TaskReports {
  /**
   * False when the outcome does not fit the task's state or there is no such task. `commit` runs in the transition's
   * transaction.
   */
  report(task: string, outcome: Outcome, commit?: () => void): boolean
}
