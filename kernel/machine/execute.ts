/**
 * Transitions while a plan runs: for each outcome of the current step, and for home's answer to a task passed to
 * it. Every `invoke` needs a token for exactly that step, and none is emitted twice. Pure. Called by machine.ts.
 */
import type { Provenance } from '../flow/labeled.ts'
import type { ReasonCode } from '../reasons.ts'
import type { CapabilityToken } from '../task/capability.ts'
import { withEdit } from '../task/edits.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ForEachStep, ModelVerb, Step, ToolStep } from '../task/plan.ts'
import type { Effect, ExecutingState, Task } from '../task/task.ts'
import {
  abandon,
  askForPlan,
  decline,
  endStep,
  endWithWord,
  enterStep,
  failStep,
  type Handlers,
  type InTurn,
  inTurn,
  isPlanQuestion,
  isShowing,
  isWord,
  stepsOf,
  type Transition,
  toShowing,
  wantsMore,
  withoutOther,
  withoutYes,
} from './step.ts'

/** Maximum steps of a task after every `forEach` was expanded: ids have two digits, and a list must not grow a task. */
export const MAX_TASK_STEPS = 99
const STEP_ID = /^s[1-9]\d?$/

type StepOutcome =
  | 'agreed'
  | 'due'
  | 'authorized'
  | 'needs_approval'
  | 'needs_credential'
  | 'denied'
  | 'skipped'
  | 'selected'
  | 'expanded'
  | 'ready'
  | 'result'
  | 'failed'
  | 'unknown'
  | 'approved'
  | 'refused'
  | 'edited'
  | 'left_out'
  | 'lapsed'

type Phase = ExecutingState['phase']

export const STEP_HANDLERS: Handlers<StepOutcome> = {
  agreed: (task, { step }) => (isShowing(task, step) ? enterStep(task, step) : null),

  /** Applies once: afterwards it is an ordinary step, checked again from the beginning. */
  due: (task, { approval }) => {
    const { state } = task
    if (state.at !== 'awaiting_time' || (approval !== null && approval !== state.approval)) return null
    const { step } = state
    const checking = { at: 'executing', step, phase: 'checking', approval } as const
    return { task: { ...task, state: checking }, effects: [{ do: 'authorize', step, approval }] }
  },

  authorized: (task, { step, token, semantics, look }) => {
    const turn = turnIn(task, step, ['checking'])
    return turn?.step.do === 'tool' ? call(task, turn, { token, semantics, ...(look && { look }) }) : null
  },

  needs_approval: (task, { step, approval }) => {
    if (isShowing(task, step)) return askForPlan(task, step, approval)
    const turn = turnIn(task, step, ['checking'])
    if (turn === null || !mayAsk(turn.step)) return null
    const state = { at: 'executing', step, phase: 'asking', approval } as const
    return { task: { ...task, state }, effects: [{ do: 'ask_owner', step, approval }] }
  },

  /** The owner may answer before the shell has recorded that the card was sent. */
  approved: (task, { approval }) => {
    const turn = askedTurn(task, approval)
    if (turn === null) return null
    if (isPlanQuestion(task)) return toShowing(task, turn.index, approval)
    if (isWord(turn.step)) return endWithWord(task, turn)
    const state = { at: 'executing', step: turn.index, phase: 'checking', approval } as const
    return { task: { ...task, state }, effects: [{ do: 'authorize', step: turn.index, approval }] }
  },

  refused: (task, { approval, reason }) => {
    const turn = askedTurn(task, approval)
    if (turn !== null && isPlanQuestion(task)) return decline(task, turn.index, reason)
    return turn && failStep(task, turn, { outcome: 'denied', reason })
  },

  /** An edit is not an approval: the step is checked again from the beginning and asks under another id (F-11). */
  edited: (task, { approval, edits: texts }) => {
    const turn = askedTurn(task, approval)
    if (turn?.step.do !== 'tool' || isPlanQuestion(task)) return null
    const edits = texts.reduce((all, one) => withEdit({ edits: all }, turn.step.id, one), task.edits ?? {})
    const state = { at: 'executing', step: turn.index, phase: 'checking', approval: null } as const
    const effects = [{ do: 'authorize', step: turn.index, approval: null }] as const
    return { task: { ...task, edits, state }, effects }
  },

  /** Like an edit. Rows that were left out before stay out. */
  left_out: (task, { approval, argument, rows }) => {
    const turn = askedTurn(task, approval)
    if (turn?.step.do !== 'tool' || isPlanQuestion(task)) return null
    const former = task.left?.[turn.step.id]?.rows ?? []
    const out = [...new Set([...former, ...rows])].toSorted((one, other) => one - other)
    const left = { ...task.left, [turn.step.id]: { argument, rows: out } }
    const state = { at: 'executing', step: turn.index, phase: 'checking', approval: null } as const
    const effects = [{ do: 'authorize', step: turn.index, approval: null }] as const
    return { task: { ...task, left, state }, effects }
  },

  /** Like an edit without new text. A plan is shown again as a whole. */
  lapsed: (task, { approval }) => {
    const turn = askedTurn(task, approval) ?? spendingTurn(task, approval)
    if (turn === null) return null
    if (isPlanQuestion(task) || isShowing(task, turn.index)) return toShowing(task, turn.index, null)
    const state = { at: 'executing', step: turn.index, phase: 'checking', approval: null } as const
    return { task: { ...task, state }, effects: [{ do: 'authorize', step: turn.index, approval: null }] }
  },

  /** Detected before the call, or by home after the call was sent there. */
  needs_credential: (task, { step, service, approval }) => {
    const turn = turnIn(task, step, ['checking', 'calling'])
    if (turn !== null && approval !== undefined) {
      const state = { at: 'executing', step, phase: 'asking', approval } as const
      return { task: { ...task, state }, effects: [{ do: 'ask_owner', step, approval }] }
    }
    const reason = { code: 'credential_missing', facts: { service } } as const
    return turn && failStep(task, turn, { outcome: 'denied', reason })
  },

  denied: (task, { step, reason }) => {
    const turn = turnIn(task, step, ['checking', 'asking', 'calling'])
    return withoutYes(task, step, reason) ?? (turn && failStep(task, turn, { outcome: 'denied', reason }))
  },

  failed: (task, { step, reason }) => {
    const turn = turnIn(task, step, ['checking', 'asking', 'calling'])
    return withoutYes(task, step, reason) ?? (turn && failStep(task, turn, { outcome: 'failed', reason }))
  },

  skipped: (task, { step }) => {
    const turn = turnIn(task, step, ['checking'])
    return turn && endStep(task, turn, { result: { kind: 'skipped' }, label: null })
  },

  selected: (task, { step, result }) => {
    const turn = turnIn(task, step, ['checking'])
    return turn !== null && isPlain(turn.step) ? endStep(task, turn, { result, label: null }) : null
  },

  expanded: (task, { step, steps, chosen }) => {
    const turn = turnIn(task, step, ['checking'])
    return turn?.step.do === 'forEach' ? expand(task, turn, { each: turn.step, steps, chosen }) : null
  },

  ready: (task, { step, verb }) => {
    const turn = turnIn(task, step, ['checking'])
    if (turn?.step.do !== verb) return null
    const state = { at: 'executing', step, phase: 'calling', approval: null } as const
    return { task: { ...task, state }, effects: [{ do: MODEL_EFFECTS[verb], step }] }
  },

  result: (task, { step, result, label }) => {
    const turn = turnIn(task, step, ['calling'])
    return turn && endStep(task, turn, { result, label })
  },

  unknown: (task, { step }) => {
    const turn = turnIn(task, step, ['calling'])
    const reason = { code: 'write_outcome_unknown', facts: {} } as const
    return turn && failStep(task, turn, { outcome: 'unknown', reason })
  },
}

/** The effect of each verb that a model without tools works on. */
export const MODEL_EFFECTS = Object.freeze({
  compose: 'compose',
  classify: 'classify',
  extract: 'extract_value',
  choose: 'choose',
} as const satisfies Record<ModelVerb, Effect['do']>)

/** Whether the owner may be asked about the step: a tool call, or a choice between several. */
function mayAsk(step: Step): boolean {
  return step.do === 'tool' || step.do === 'clarify' || (step.do === 'select' && step.take === 'one')
}

/** Resolved without a call: by code, or by the owner. */
function isPlain(step: Step): boolean {
  return step.do === 'select' || step.do === 'compute' || step.do === 'clarify'
}

/** Calls the step's tool, once: the phase changes, so a second authorisation does not fit the state. */
function call(
  task: Task,
  turn: InTurn,
  granted: Pick<Extract<Outcome, { got: 'authorized' }>, 'token' | 'semantics' | 'look'>,
): Transition {
  const { token, semantics } = granted
  const wrong = tokenFault(task, turn.step, token)
  if (wrong !== null) return denyStep(task, turn, wrong)
  // A second plan may follow reads only: a write before it could not be undone.
  if (semantics === 'write' && wantsMore(task)) return denyStep(task, turn, 'plan_malformed')
  const counted = countCall(task)
  if (counted === null) return denyStep(task, turn, 'tool_calls_used_up')
  const state = { at: 'executing', step: turn.index, phase: 'calling', approval: approvalOf(task) } as const
  const held = semantics === 'write' ? { ...withoutOther(counted), wrote: true as const } : counted
  return { task: { ...held, state }, effects: [{ do: 'invoke', step: turn.index, ...granted }] }
}

/** Checks here only that the claims name this very step; the MAC is checked at the call. */
function tokenFault(task: Task, step: Step, { claims }: CapabilityToken): ReasonCode | null {
  if (claims.task !== task.id) return 'token_wrong_task'
  if (claims.step !== step.id) return 'token_wrong_step'
  if (step.do !== 'tool' || claims.tool !== step.tool) return 'token_wrong_tool'
  return claims.place === task.place ? null : 'token_wrong_place'
}

/** Null when the template's limit is reached. It counts the whole task (B-36). */
function countCall(task: Task): Task | null {
  return task.callsUsed < task.maxToolCalls ? { ...task, callsUsed: task.callsUsed + 1 } : null
}

/** Inserts the calls of a `forEach` after it. A list that is too long or malformed fails the step, not the task. */
function expand(
  task: Task,
  turn: InTurn,
  made: {
    readonly each: ForEachStep
    readonly steps: readonly ToolStep[]
    readonly chosen: Provenance | undefined
  },
): Transition {
  const before = stepsOf(task)
  const { each, steps, chosen } = made
  if (steps.length > each.max || before.length + steps.length > MAX_TASK_STEPS)
    return denyStep(task, turn, 'plan_limit_reached')
  const ids = new Set([...before, ...steps].map((step) => step.id))
  const sound = steps.every((step) => step.do === 'tool' && step.tool === each.tool && STEP_ID.test(step.id))
  if (!sound || ids.size !== before.length + steps.length) return denyStep(task, turn, 'plan_malformed')
  const after = turn.index + 1
  const plan = {
    explanation: task.plan?.explanation ?? '',
    steps: [...before.slice(0, after), ...steps, ...before.slice(after)],
  }
  const results = {
    ...task.results,
    [each.id]: {
      kind: 'many',
      steps: steps.map((step) => step.id),
      ...(chosen !== undefined && { chosen }),
    } as const,
  }
  return enterStep({ ...task, plan, results }, after)
}

function denyStep(task: Task, turn: InTurn, code: ReasonCode): Transition {
  return failStep(task, turn, { outcome: 'denied', reason: { code, facts: { step: turn.step.id } } })
}

/** The current step, if the outcome names it in one of these phases. A call to home counts as `calling`. */
function turnIn(task: Task, step: number, phases: readonly Phase[]): InTurn | null {
  const phase = phaseOf(task)
  if (phase === null || !phases.includes(phase)) return null
  const turn = inTurn(task)
  return turn?.index === step ? turn : null
}

function phaseOf({ state }: Task): Phase | null {
  if (state.at === 'awaiting_home') return 'calling'
  return state.at === 'executing' ? state.phase : null
}

/** The step that waits for this very approval. */
function askedTurn(task: Task, approval: string): InTurn | null {
  const asking = task.state.at === 'awaiting_approval' || phaseOf(task) === 'asking'
  return asking && approvalOf(task) === approval ? inTurn(task) : null
}

/** The step whose approval was given and not yet spent. */
function spendingTurn(task: Task, approval: string): InTurn | null {
  const phase = phaseOf(task)
  const spending = phase === 'checking' || phase === 'showing'
  return spending && approvalOf(task) === approval ? inTurn(task) : null
}

function approvalOf({ state }: Task): string | null {
  return 'approval' in state ? state.approval : null
}

type HomeOutcome = 'needs_home' | 'queued' | 'asked' | 'replaced'

export const HOME_HANDLERS: Handlers<HomeOutcome> = {
  needs_home: (task, { step }) => {
    const turn = turnIn(task, step, ['checking'])
    if (turn?.step.do !== 'tool') return null
    const counted = countCall(task)
    if (counted === null) return denyStep(task, turn, 'tool_calls_used_up')
    const state = { at: 'awaiting_home', step, approval: approvalOf(task) } as const
    // Only home knows whether the step writes.
    return { task: { ...withoutOther(counted), state }, effects: [{ do: 'ask_home', step }] }
  },

  /** Once per task; a second such outcome finds it queued. */
  queued: (task, { step, queued }) => {
    const { state } = task
    if (state.at !== 'awaiting_home' || state.step !== step || state.queued !== undefined) return null
    const { told, choice } = queued
    const tell: readonly Effect[] =
      told || choice === null ? [] : [{ do: 'ask_owner', step, approval: choice }]
    return { task: { ...task, waited: true, state: { ...state, queued } }, effects: tell }
  },

  /** A card was sent: for a step that asks before it runs, or for one that waits for home. */
  asked: (task, { step, approval }) => {
    const { state } = task
    if (state.at === 'awaiting_home') {
      if (state.queued === undefined || !isToTell(task, { step, approval })) return null
      return { task: { ...task, state: { ...state, queued: { ...state.queued, told: true } } }, effects: [] }
    }
    const turn = turnIn(task, step, ['asking'])
    if (turn === null || approvalOf(task) !== approval) return null
    const asks = isPlanQuestion(task) ? ({ asks: 'plan' } as const) : {}
    return { task: { ...task, state: { at: 'awaiting_approval', step, approval, ...asks } }, effects: [] }
  },

  /** Sends nothing: the person gets the other task's answer, or the question whether there should be one. */
  replaced: (task, { choice }) => {
    if (task.state.at === 'extracting') return { task: { ...task, state: { at: 'cancelled' } }, effects: [] }
    if (task.state.at !== 'awaiting_home' || task.state.queued?.choice !== choice) return null
    return { task: { ...abandon(task, 'home_offline'), state: { at: 'cancelled' } }, effects: [] }
  },
}

/** The notice of exactly this wait was not sent yet. */
export function isToTell(
  { state }: Task,
  { step, approval }: { readonly step: number; readonly approval: string },
): boolean {
  if (state.at !== 'awaiting_home' || state.step !== step || state.queued === undefined) return false
  return !state.queued.told && state.queued.choice === approval
}
