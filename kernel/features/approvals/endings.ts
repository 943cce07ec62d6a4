/**
 * How a question ended, for an answer that is repeated or late: the decision, when, and its effect. Kernel facts
 * only. Must not decide. Called by shell.ts, the channels' cards.ts and typed-answer.ts.
 */
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AtPlace, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import { isFinal, type StepTrace } from '../../task/task.ts'
import { type Ending, endedText, type How } from '../../wording/endings.ts'
import { named } from './waiting.ts'

/** Words for the owner; null when there is no such question. `name`: an id, a number, or the name of a card. */
export function endedWords(
  powers: Clock & AtPlace & OwnerFacts & Actions & StoreOf<TaskStore & ApprovalStore>,
  name: string,
): string | null {
  const approval = powers.store.loadApproval(named(powers, name).id)?.approval
  if (approval === undefined) return null
  return endedText(endingOf(powers, approval), { now: powers.now(), timezone: powers.profile().timezone })
}

function endingOf(powers: Actions & StoreOf<TaskStore>, approval: Approval): Ending {
  const action = lookUpAction(powers.registry, approval.tool)
  const done = action.ok && 'done' in action.value ? (action.value.done ?? null) : null
  return { how: howOf(powers, approval), at: approval.decidedAt, done }
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
  if (kind === 'choice' || kind === 'credential') return 'taken'
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
