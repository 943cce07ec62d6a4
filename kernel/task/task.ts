/**
 * The task record: all that the machine needs. It carries sealed references with labels (B-31, DESIGN §3), so
 * it may be stored in plain text and shown in a trace. Must not hold values.
 */
import type { Clearance } from '../flow/clearance.ts'
import type { Path } from '../flow/json.ts'
import type { Provenance } from '../flow/labeled.ts'
import type { Place } from '../flow/place.ts'
import type { Refusal } from '../flow/verdict.ts'
import type { Steering } from '../prompt/signal/signal.ts'
import type { ReasonCode } from '../reasons.ts'
import type { TypedAnswer } from './answers/answer-words.ts'
import type { CapabilityToken } from './capability.ts'
import type { FileKind } from './event.ts'
import type { PauseAnswer } from './pause.ts'
import type { Plan, ValueKind } from './plan.ts'

/** Reference to a sealed value: its id, label and taint. The value is at the place that sealed it. */
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
        /** Depends on what a model found in a text, so a later planner sees only which fields it has. */
        readonly unseen?: true
      }
}

/** Result of a finished step. An alias points into another root: `select` copies nothing. */
export type StepResult =
  /** `cut`: a composed text that was truncated. */
  | { readonly kind: 'sealed'; readonly ref: SealedRef; readonly cut?: true }
  /** `chosen`: provenance of a model's choice (`choose`); everything read through the alias bears it. */
  | {
      readonly kind: 'alias'
      readonly root: string
      readonly path: Path
      readonly chosen?: Provenance
    }
  | {
      readonly kind: 'aliases'
      readonly root: string
      readonly paths: readonly Path[]
      readonly chosen?: Provenance
    }
  /** A value that `extract` or `compute` gave: sealed JSON, see `call/values/value.ts`. `is` is its kind. */
  | { readonly kind: 'value'; readonly ref: SealedRef; readonly is: ValueKind }
  | { readonly kind: 'choice'; readonly value: string | null; readonly provenance: Provenance }
  /** Result of `forEach`. `chosen`: provenance of the list, which the results as a whole bear, even if there are none. */
  | { readonly kind: 'many'; readonly steps: readonly string[]; readonly chosen?: Provenance }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly reason: Refusal }

/** The sealed rows that results hold. */
export function sealedIn(results: Task['results']): readonly SealedRef[] {
  return Object.values(results).flatMap((result) =>
    result.kind === 'sealed' || result.kind === 'value' ? [result.ref] : [],
  )
}

/** A running step. The phase distinguishes the awaited outcome from a second, late or forged one. */
export interface ExecutingState {
  readonly at: 'executing'
  /** Index into the plan's steps. */
  readonly step: number
  readonly phase: 'showing' | 'checking' | 'asking' | 'calling'
  /** In phase `asking`: the requested approval. Otherwise: the given approval, or null. */
  readonly approval: string | null
  /** In phase `asking`: the approval covers the plan from this step on, not only the step. */
  readonly asks?: 'plan'
}

/** A call queued for an offline home (T-07). */
export interface QueuedCall {
  /** Id of the approval record by which the owner may choose an answer without home; null if this place could answer nothing. */
  readonly choice: string | null
  /** Whether the notice was sent. A task that joined an open question has no notice of its own. */
  readonly told: boolean
  /** Epoch milliseconds after which the call is given up. */
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
      /**
       * Present once the owner was told that home is offline; absent during the first wait, which delays the
       * answer.
       */
      readonly queued?: QueuedCall
    }
  /**
   * Waits for the time of a scheduled call. `approval`: the approval of the call, made
   * of the one that was spent on scheduling it.
   */
  | { readonly at: 'awaiting_time'; readonly step: number; readonly approval: string; readonly until: number }
  | { readonly at: 'synthesizing' }
  /** `sending` until the channel accepted the answer or it was queued for its chat, then `remembering`. */
  | { readonly at: 'delivering'; readonly phase: 'sending' | 'remembering' }
  | { readonly at: 'completed' }
  | { readonly at: 'failed'; readonly reason: Refusal }
  | { readonly at: 'cancelled' }

/** One executed or attempted call, for `ask --json` and the audit. */
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

/** A file that came with the message: the channel's description, its reference, and whether it was read. */
export interface TaskFile {
  readonly kind: FileKind
  /** Bytes as the channel reports them; 0 if unknown. */
  readonly size: number
  /** The channel's id of the file. Usable only with the channel's token. */
  readonly ref: string
  /** Absent until it was processed; then true, or the reason why it was not read. */
  readonly read?: true | ReasonCode
}

/** Attachments. Contains nothing that the sender wrote: names and text are sealed. */
export interface Attached {
  readonly files: readonly TaskFile[]
  /** File names, one per line, sealed. */
  readonly names: SealedRef
  /** Extracted text, sealed; absent if there is none. */
  readonly text?: SealedRef
  /**
   * The channel's id of the speaker of the only file; present only if the file is the sender's own recording
   * and the whole message.
   */
  readonly speaker?: string
  /** Transcript of the recording, sealed. Not the owner's words until the owner confirms it. */
  readonly heard?: SealedRef
}

/** `rows`: positions in the argument's list as it was found, from 0, in order. */
interface LeftOut {
  readonly argument: string
  readonly rows: readonly number[]
}

export interface Edit {
  readonly argument: string
  readonly ref: SealedRef
  /** The owner only corrected the text: the rest is not the owner's, so the text is judged by that rest. */
  readonly kept?: true
}

/** A planner's own numbers and text, by position. Those of a second plan continue the numbering. */
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
  /** Order of arrival within the principal. Answers are sent in this order (B-26). */
  readonly turn: number
  readonly ceiling: Clearance
  readonly tools: readonly string[]
  readonly maxToolCalls: number
  /** The only sink of this task's answer, derived from the event. */
  readonly sink: string
  readonly state: TaskState
  readonly path: 'fast' | 'full' | null
  /** The event's text, sealed, and the record that was extracted from it. */
  readonly words: SealedRef
  readonly said: SealedRef | null
  /** Text that the owner quoted or forwarded. Shown to a writer, never to a planner (C-09). */
  readonly quoted?: SealedRef
  /** Attached files (B-27). */
  readonly attached?: Attached
  /** Records of earlier turns that this task may reference, by root (`w1` is the newest). */
  readonly memory: Readonly<Record<string, SealedRef>>
  /** Calls that waited for the owner's approval when the task was planned: ids of approvals, by root (`q1`). */
  readonly asked?: Readonly<Record<string, string>>
  readonly plan: Plan | null
  /** Label and taint of everything that the planner read. Literals in its plan carry them. */
  readonly planned: Provenance | null
  /** The planners' own literals, one sealed list per plan; absent if the plan is a template's. */
  readonly literals?: readonly Literals[]
  /** Placeholder of what the last plan left out and why, among those literals. */
  readonly leftOut?: string
  /** The planner asked to see the results of its reads and to plan again. */
  readonly again?: true
  /** Code made the plan from the words, and a model plans again if nothing is found. Nothing has been written so far. */
  readonly otherwise?: true
  /** A write of the plan was called: no other plan may follow. */
  readonly wrote?: true
  /** Index of the first step of the second plan, which depends on the results of the steps before it. */
  readonly resumed?: number
  readonly planRounds: number
  /** The plan's planner: `canned`, `rules`, or a model's id. */
  readonly planner: string | null
  readonly results: Readonly<Record<string, StepResult>>
  readonly traces: readonly StepTrace[]
  readonly callsUsed: number
  /** The owner's texts that replace those of a step, by step and argument (F-11). */
  readonly edits?: Readonly<Record<string, Edit>>
  /** Rows of a list that the owner left out on a card, by step. */
  readonly left?: Readonly<Record<string, LeftOut>>
  readonly answer: SealedRef | null
  readonly model: string | null
  /** The first failure. Told to the person even if there is a partial answer. */
  readonly trouble: Refusal | null
  /** Tone that the owner asked for, if any (P-30). */
  readonly manner?: AnswerTone
  /** Whether the plan is shown before it runs, if the owner said so (P-19). */
  readonly planMode?: PlanMode
  /**
   * The owner rejected the plan, could not be asked, or answered one of its questions
   * with another request. The rest of it did not run.
   */
  readonly declined?: true
  /** Time for which the call was approved, epoch milliseconds. Set on tasks that run a scheduled call. */
  readonly timed?: number
  /** Id of a scheduled task that this task replaces, in one transaction. */
  readonly instead?: string
  /** The message was queued while home was offline. The answer says so. */
  readonly waited?: true
  /** The owner chose an answer without private data. Home is not asked. */
  readonly alone?: true
  /**
   * For the owner's `/pause` or `/resume`: its effect, and the number of queued messages. Answered at once.
   */
  readonly pause?: PauseAnswer
  /** For a typed yes or no: its result. */
  readonly typed?: TypedAnswer
  /** For `/stop`: the number of tasks that it ended. */
  readonly stopped?: number
  /** Number of the next effect row. Increases by one per effect, so ids never repeat. */
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
      /** For the lookup right before a write (I-14). */
      readonly look?: CapabilityToken
    }
  | { readonly do: 'ask_home'; readonly step: number }
  | { readonly do: 'compose'; readonly step: number }
  | { readonly do: 'classify'; readonly step: number }
  | { readonly do: 'extract_value'; readonly step: number }
  | { readonly do: 'choose'; readonly step: number }
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
  /** A finished row is deleted. */
  readonly status: 'pending' | 'started'
}

export function isFinal(state: TaskState): boolean {
  return state.at === 'completed' || state.at === 'failed' || state.at === 'cancelled'
}

export function isWaiting(state: TaskState): boolean {
  return state.at === 'awaiting_approval' || state.at === 'awaiting_home' || state.at === 'awaiting_time'
}

export interface AnswerTone extends Steering {
  readonly said: Provenance
}

export interface PlanMode {
  readonly on: boolean
  readonly said: Provenance
}

/** The whole message: the command, or its name in words. */
const SAID = /^(?:\/plan|plan mode) +(on|off)[.!]?$/i

/** Null for any other message. */
export function planModeInMessage(text: string): PlanMode['on'] | null {
  const [, how] = SAID.exec(text.trim()) ?? []
  return how === undefined ? null : how.toLowerCase() === 'on'
}
