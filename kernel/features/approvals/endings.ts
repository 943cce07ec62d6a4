/**
 * How a question ended, for an answer that is repeated or late: the decision, when, and its effect. Kernel
 * facts only. Must not decide. Called by asking.ts and typed-words.ts.
 */
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AtPlace, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval, ApprovalState } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { isFinal, type StepTrace, type Task } from '../../task/task.ts'
import { figuredMoment, localDay, localMoment } from '../../wording/output.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { named } from './waiting.ts'

/**
 * Words for the owner; null when there is no such question. `name`: an id, a number, or the name of a card.
 */
export function endedWords(
  powers: Clock & AtPlace & OwnerFacts & Actions & StoreOf<TaskStore & ApprovalStore>,
  name: string,
): string | null {
  const approval = powers.store.loadApproval(named(powers, name).id)?.approval
  if (approval === undefined) return null
  return endedText(endingOf(powers, approval), { now: powers.now(), timezone: powers.profile().timezone })
}

/**
 * The owner's request behind an expired question, if it may be asked again: not if a part of it was
 * already written.
 */
export function askableAgain(
  powers: Actions & StoreOf<TaskStore>,
  { state, task: id, kind }: Pick<Approval, 'state' | 'task' | 'kind'>,
): Task | null {
  if (state !== 'expired' || id === '' || kind === 'choice' || kind === 'credential') return null
  const task = powers.store.loadTask(id)
  return task?.principal === OWNER_PRINCIPAL && !hasWritten(powers, task) ? task : null
}

/** Whether a write of the task ran, or may have run. */
export function hasWritten(powers: Actions, { traces }: Task): boolean {
  return traces.some(({ tool, outcome }) => {
    const action = outcome === 'done' || outcome === 'unknown' ? lookUpAction(powers.registry, tool) : null
    return action?.ok === true && action.value.semantics === 'write'
  })
}

function endingOf(powers: Actions & StoreOf<TaskStore>, approval: Approval): Ending {
  const action = lookUpAction(powers.registry, approval.tool)
  const done = action.ok && 'done' in action.value ? (action.value.done ?? null) : null
  return { how: howOf(powers, approval), at: approval.decidedAt, by: approval.decidedBy, done }
}

function howOf(powers: StoreOf<TaskStore>, approval: Approval): How {
  switch (approval.state) {
    case 'approved':
    case 'spent':
      return afterYes(powers, approval)
    default:
      return approval.state
  }
}

function afterYes({ store }: StoreOf<TaskStore>, { kind, change, task: id, step }: Approval): How {
  if (change !== null) return 'holds'
  if (kind === 'choice' || kind === 'credential' || kind === 'clarification') return 'taken'
  const task = store.loadTask(id)
  if (task === null) return 'taken'
  const outcome =
    kind === 'plan' ? planOutcome(task.traces) : task.traces.findLast((trace) => trace.step === step)?.outcome
  if (outcome !== undefined && (kind !== 'plan' || isFinal(task.state))) return OUTCOMES[outcome]
  return isFinal(task.state) ? 'not_done' : 'working'
}

function planOutcome(traces: readonly StepTrace[]): StepTrace['outcome'] | undefined {
  const bad = traces.find(({ outcome }) => outcome === 'unknown' || outcome === 'failed')
  return (bad ?? traces.findLast(({ outcome }) => outcome === 'done'))?.outcome
}

const OUTCOMES: Readonly<Record<StepTrace['outcome'], How>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  denied: 'not_done',
  skipped: 'not_done',
}

type How =
  | Exclude<ApprovalState, 'approved' | 'spent'>
  /** After an approval: the result of the call, or of the plan. */
  | 'done'
  | 'working'
  | 'failed'
  | 'unknown'
  | 'not_done'
  /** A rule change was made. */
  | 'holds'
  /** The approval itself was the answer; nothing else follows. */
  | 'taken'

interface Ending {
  readonly how: How
  /** When it was answered, epoch milliseconds. */
  readonly at: number | null
  /** Who answered; null if a question was withdrawn because its message was. */
  readonly by: string | null
  /** The tool's own text for the resulting state. */
  readonly done: string | null
}

function endedText(
  { how, at, by, done }: Ending,
  { now, timezone }: { readonly now: number; readonly timezone: string },
): string {
  const when = at === null ? '' : whenOf(at, now, timezone)
  if (how === 'expired') return wordsFor('approval_expired')
  if (how === 'withdrawn') return wordsFor(by === null ? 'approval_withdrawn' : 'approval_repeated')
  if (how === 'done' && done !== null) return tell('approvals.ended_state', { when, state: done })
  return tell(`approvals.ended_${how}`, { when })
}

/** The moment in words; for today, the time of day only. */
function whenOf(at: number, now: number, timezone: string): string {
  return localDay(at, timezone) === localDay(now, timezone)
    ? tell('approvals.at_time', { time: localMoment(at, timezone).slice(DAY + 1) })
    : tell('approvals.at_moment', { moment: figuredMoment(at, timezone) })
}

/** Length of `YYYY-MM-DD`. */
const DAY = 10
