/**
 * The task record: everything the machine needs and nothing it must not hold. It carries sealed references with
 * labels, never values (B-31, DESIGN §3), so it may be stored in plain and shown in a trace.
 */
import type { Clearance } from '../flow/clearance.ts'
import type { Path } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import type { Place } from '../flow/place.ts'
import type { Refusal } from '../flow/verdict.ts'
import type { ReasonCode } from '../reasons.ts'
import type { TypedAnswer } from './answer-said.ts'
import type { CapabilityToken } from './capability.ts'
import type { FileKind } from './event.ts'
import type { Manner } from './manner.ts'
import type { PauseSaid } from './pause.ts'
import type { Plan } from './plan.ts'
import type { PlanMode } from './plan-mode.ts'

/** Names a sealed value: where it lies and how it is guarded. The value is at the place that sealed it. */
export interface SealedRef extends Provenance {
  readonly id: string
  readonly version: number
  readonly holds:
    | { readonly what: 'text' }
    | {
        readonly what: 'record'
        readonly action: string
        readonly inputs: Provenance
        readonly reported?: string
      }
}

/** What a finished step left behind. Aliases point into another root: `select` copies nothing. */
export type StepResult =
  /** `cut`: a composed text that ends before its writer was done. */
  | { readonly kind: 'sealed'; readonly ref: SealedRef; readonly cut?: true }
  | { readonly kind: 'alias'; readonly root: string; readonly path: Path }
  | { readonly kind: 'aliases'; readonly root: string; readonly paths: readonly Path[] }
  | { readonly kind: 'choice'; readonly value: string | null; readonly provenance: Provenance }
  | { readonly kind: 'many'; readonly steps: readonly string[] }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly reason: Refusal }

/** A step in turn. The phase is what tells a second, late or forged outcome from the awaited one. */
export interface ExecutingState {
  readonly at: 'executing'
  /** Index into the plan's steps. */
  readonly step: number
  readonly phase: 'showing' | 'checking' | 'asking' | 'calling'
  /** In `asking` the approval that is asked for; otherwise the one that was given, or null. */
  readonly approval: string | null
  /** In `asking`: it is asked for the plan from this step on, and not for the step. */
  readonly asks?: 'plan'
}

/** A call that waits for a home that is away (T-07). */
export interface QueuedCall {
  /** Approval record by which the owner may choose an answer without home. */
  readonly choice: string
  /** Whether the notice is out; a task that joined an open question has none of its own. */
  readonly told: boolean
  /** Epoch milliseconds after which nobody wants the answer. */
  readonly until: number
}

export type TaskState =
  | { readonly at: 'extracting' }
  | { readonly at: 'planning' }
  | ExecutingState
  | {
      readonly at: 'awaiting_approval'
      readonly step: number
      readonly approval: string
      readonly asks?: 'plan'
    }
  | {
      readonly at: 'awaiting_home'
      readonly step: number
      readonly approval: string | null
      /** Since the owner was told that home is away; absent during the first wait, which holds the line. */
      readonly queued?: QueuedCall
    }
  | { readonly at: 'synthesizing' }
  /** `sending` until the channel took the answer or it waits for its chat, then `remembering`. */
  | { readonly at: 'delivering'; readonly phase: 'sending' | 'remembering' }
  | { readonly at: 'completed' }
  | { readonly at: 'failed'; readonly reason: Refusal }
  | { readonly at: 'cancelled' }

/** One executed or attempted call, as `ask --json` and the audit show it. */
export interface StepTrace {
  readonly step: string
  readonly tool: string
  readonly place: Place
  /** `describeLabel` of the result; null while there is none. */
  readonly label: string | null
  readonly approved: boolean
  readonly outcome: 'done' | 'failed' | 'skipped' | 'denied' | 'unknown'
  readonly reason: string | null
}

/** A file that came with the message: what the channel said of it, where it lies there, and whether it was read. */
export interface TaskFile {
  readonly kind: FileKind
  /** Bytes, as the channel says; 0 where it does not. */
  readonly size: number
  /** The channel's own name for it, of use to whoever holds the channel's token. */
  readonly ref: string
  /** Absent until it was looked at; then true, or why it was not read. */
  readonly read?: true | ReasonCode
}

/** What came along. Holds nothing that its sender wrote: names and text are sealed. */
export interface Attached {
  readonly files: readonly TaskFile[]
  /** A line each, sealed. */
  readonly names: SealedRef
  /** What was read of them, sealed; absent where nothing was. */
  readonly text?: SealedRef
  /** Whose recording the only file is, by the channel's own id; absent unless it is his own, and all that he sent. */
  readonly speaker?: string
  /** What was heard of it, sealed: nobody's words before the owner says that they are his. */
  readonly heard?: SealedRef
}

export interface Edit {
  readonly argument: string
  readonly ref: SealedRef
}

/** Numbers and text that a planner wrote, by position: those of a second plan count on from the first's. */
export interface Literals {
  readonly ref: SealedRef
  readonly count: number
  readonly planner: string
}

export interface Task {
  readonly id: string
  readonly trace: string
  readonly template: string
  readonly principal: string
  readonly event: string
  readonly place: Place
  /** Order of arrival within the principal; answers are released in this order (B-26). */
  readonly turn: number
  readonly ceiling: Clearance
  readonly tools: readonly string[]
  readonly maxToolCalls: number
  /** The single sink of this task's answer, resolved from the event. */
  readonly sink: string
  readonly state: TaskState
  readonly path: 'fast' | 'full' | null
  /** Sealed words of the event, and the extraction record made of them. */
  readonly words: SealedRef
  readonly said: SealedRef | null
  /** What the owner quoted or forwarded with them: content for a writer, never for a planner (C-09). */
  readonly quoted?: SealedRef
  /** Files that came with them (B-27). */
  readonly attached?: Attached
  /** Records of earlier turns that this task may refer to, by root (`w1` is the newest). */
  readonly memory: Readonly<Record<string, SealedRef>>
  readonly plan: Plan | null
  /** Label and taint of everything the planner read: what a literal in its plan bears. */
  readonly planned: Provenance | null
  /** What planners wrote themselves, a sealed list for each plan; absent where a template's own text stands in its plan. */
  readonly literals?: readonly Literals[]
  /** The planner wants to see what its plan of reads finds, and to plan once more. */
  readonly again?: true
  /** Index of the first step that was planned after those before it had run: what they found decided that it is there. */
  readonly resumed?: number
  readonly planRounds: number
  /** Which planner made the plan: `canned`, `rules`, or a model's id. */
  readonly planner: string | null
  readonly results: Readonly<Record<string, StepResult>>
  readonly traces: readonly StepTrace[]
  readonly callsUsed: number
  /** Texts that the owner wrote in place of a step's own, by step (F-11). */
  readonly edits?: Readonly<Record<string, Edit>>
  readonly answer: SealedRef | null
  readonly model: string | null
  /** First thing that went wrong; told to the person even when a partial answer exists. */
  readonly trouble: Refusal | null
  /** How he wants to be answered, once he said so (P-30). */
  readonly manner?: Manner
  /** Whether its plan is shown before it runs, once he said so (P-19). */
  readonly planMode?: PlanMode
  /** He did not agree to its plan, or could not be asked: nothing of it has run. */
  readonly declined?: true
  /** It waited for a home that was away: its answer says so. */
  readonly waited?: true
  /** The owner chose an answer without private data: home is not asked for anything. */
  readonly alone?: true
  /** It is the owner's `/pause` or `/resume`: what that came to, and how many messages had waited. Answered at once. */
  readonly pause?: PauseSaid
  /** What came of a typed yes or no, which this message is. */
  readonly typed?: TypedAnswer
  /** Tasks that its `/stop` has ended. */
  readonly stopped?: number
  /** Number of the next effect row; grows by one per effect, so ids never repeat. */
  readonly nextEffect: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

export type Effect =
  | { readonly do: 'extract' }
  | { readonly do: 'plan'; readonly round: number }
  | { readonly do: 'show_plan'; readonly step: number; readonly approval: string | null }
  | { readonly do: 'authorize'; readonly step: number; readonly approval: string | null }
  | {
      readonly do: 'invoke'
      readonly step: number
      readonly token: CapabilityToken
      readonly semantics: 'read' | 'write'
    }
  | { readonly do: 'ask_home'; readonly step: number }
  | { readonly do: 'compose'; readonly step: number }
  | { readonly do: 'classify'; readonly step: number }
  | { readonly do: 'ask_owner'; readonly step: number; readonly approval: string }
  | { readonly do: 'synthesize' }
  | { readonly do: 'deliver' }
  | { readonly do: 'remember' }

export interface EffectRow {
  /** `<task>:<n>`. */
  readonly id: string
  readonly task: string
  readonly n: number
  readonly effect: Effect
  /** A row that is done is no longer stored. */
  readonly status: 'pending' | 'started'
}

export function isFinal(state: TaskState): boolean {
  return state.at === 'completed' || state.at === 'failed' || state.at === 'cancelled'
}

export function isWaiting(state: TaskState): boolean {
  return state.at === 'awaiting_approval' || state.at === 'awaiting_home'
}
