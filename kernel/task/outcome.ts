/**
 * What a shell reports back to the machine after running an effect, or after the world did something.
 * Every outcome is checked against the task's state: one that does not fit changes nothing (machine.ts).
 */
import type { Provenance } from '../flow/labeled.ts'
import type { Refusal } from '../flow/verdict.ts'
import type { CapabilityToken } from './capability.ts'
import type { Plan, ToolStep } from './plan.ts'
import type { Literals, QueuedCall, SealedRef, StepResult } from './task.ts'

export type Outcome =
  /** `said` is null where no step will refer to it. */
  | { readonly got: 'extracted'; readonly said: SealedRef | null; readonly needsTools: boolean }
  | {
      readonly got: 'planned'
      readonly round: number
      readonly plan: Plan
      readonly planner: string
      readonly provenance: Provenance
      /** Numbers and text of this plan alone. */
      readonly literals?: Pick<Literals, 'ref' | 'count'>
    }
  | { readonly got: 'plan_failed'; readonly round: number; readonly reason: Refusal; readonly again: boolean }
  /** The plan from this step on may run: its owner agreed to it, or it is none that he is shown. */
  | { readonly got: 'agreed'; readonly step: number }
  /** Verdict of `authorize` on the step in turn. */
  | {
      readonly got: 'authorized'
      readonly step: number
      readonly token: CapabilityToken
      readonly semantics: 'read' | 'write'
    }
  | {
      readonly got: 'needs_approval'
      readonly step: number
      readonly approval: string
      readonly reason: Refusal
    }
  | { readonly got: 'needs_home'; readonly step: number }
  /** The first wait for home is over; the call goes on waiting, and the owner has the choice. */
  | { readonly got: 'queued'; readonly step: number; readonly queued: QueuedCall }
  /** Another task answers the same words instead of this one; of a message that was not read yet: if the owner says yes to them. */
  | { readonly got: 'replaced'; readonly choice: string }
  /** With `approval`, the owner is asked for it, and the step waits. */
  | {
      readonly got: 'needs_credential'
      readonly step: number
      readonly service: string
      readonly approval?: string
    }
  | { readonly got: 'denied'; readonly step: number; readonly reason: Refusal }
  | { readonly got: 'skipped'; readonly step: number }
  /** A verb that needs no call: `select` resolved, or `forEach` expanded into tool steps to run next. */
  | { readonly got: 'selected'; readonly step: number; readonly result: StepResult }
  | { readonly got: 'expanded'; readonly step: number; readonly steps: readonly ToolStep[] }
  | { readonly got: 'ready'; readonly step: number; readonly verb: 'compose' | 'classify' }
  /** A call, a composition or a classification ended. */
  | { readonly got: 'result'; readonly step: number; readonly result: StepResult; readonly label: string }
  | { readonly got: 'failed'; readonly step: number; readonly reason: Refusal }
  /** A write was found started after a crash: nobody knows whether it ran. Never repeated. */
  | { readonly got: 'unknown'; readonly step: number }
  | { readonly got: 'asked'; readonly step: number; readonly approval: string }
  | { readonly got: 'approved'; readonly approval: string }
  | { readonly got: 'refused'; readonly approval: string; readonly reason: Refusal }
  /** The owner gave his own words for a text of the call; it is authorised and asked about anew. */
  | {
      readonly got: 'edited'
      readonly approval: string
      readonly argument: string
      readonly ref: SealedRef
    }
  /** A question, or the yes to it, ran out of time while the owner had everything pause: it is asked about anew. */
  | { readonly got: 'lapsed'; readonly approval: string }
  | { readonly got: 'synthesized'; readonly answer: SealedRef; readonly model: string }
  | { readonly got: 'synthesis_failed'; readonly reason: Refusal }
  /** Its channel has it, or it waits for its chat: the task goes on to its end. */
  | { readonly got: 'delivered' }
  | { readonly got: 'delivery_denied'; readonly reason: Refusal }
  | { readonly got: 'remembered' }
  | { readonly got: 'stopped' }
  /** Its message was edited, and another task answers what that says now: nothing more is done or told of this one. */
  | { readonly got: 'withdrawn' }
  /** The shell could not run the effect in turn (lost storage, a bug): the person is told, the task ends. */
  | { readonly got: 'faulted'; readonly reason: Refusal }

/** An outcome, and what must be written in the same transaction as the transition that it causes. */
export interface Reported {
  readonly outcome: Outcome
  readonly commit?: () => void
}

/** Who takes outcomes from outside for tasks: a decision, an answer of home, a stop. It runs nothing. */
export interface TaskReports {
  /** False when it did not fit the task as it is, or there is none; `commit` is written with the transition. */
  report(task: string, outcome: Outcome, commit?: () => void): boolean
}
